-- works with: 20261123074100_bike_references.sql
-- Two-step login of the staff (decision 95).

create table two_step_logins (
  customer_id text primary key references customers,
  -- The key of the authenticator app: a JWE (dir, A256GCM) with a key that is derived from SHOP_SECRET.
  secret text not null,
  -- The time step of the newest accepted code. A code counts once, and none counts after a newer one.
  last_step bigint not null default 0,
  -- Null until a first code has proved that the app has the key.
  confirmed_at timestamptz,
  -- SHA-256 of the recovery codes that are left.
  recovery_hashes text[] not null default '{}' check (cardinality(recovery_hashes) <= 10)
);

-- The sign-ins that have passed the second step: `iss` and `sid` of their ID tokens. Not in backups.
create table two_step_sign_ins (
  issuer text not null,
  sid text not null,
  customer_id text not null references two_step_logins on delete cascade,
  confirmed_at timestamptz not null default now(),
  primary key (issuer, sid)
);
create index two_step_sign_ins_customer on two_step_sign_ins (customer_id);
