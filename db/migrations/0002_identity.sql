-- The identity provider's own books: accounts, passwords (hashed), sessions and signing keys.
-- The first five tables are those that better-auth 1.7.7 compiles for our settings, with its names; a test compares
-- them with what it would make now. What follows `-- Ours` is not known to it.
create schema identity;

create table identity."user" (
  "id" text not null primary key,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz default current_timestamp not null
);

create table identity."session" (
  "id" text not null primary key,
  "expiresAt" timestamptz not null,
  "token" text not null unique,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references identity."user" ("id") on delete cascade
);
create index "session_userId_idx" on identity."session" ("userId");

create table identity."account" (
  "id" text not null primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references identity."user" ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "password" text,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz not null
);
create index "account_userId_idx" on identity."account" ("userId");

create table identity."verification" (
  "id" text not null primary key,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz default current_timestamp not null
);
create index "verification_identifier_idx" on identity."verification" ("identifier");

create table identity."jwks" (
  "id" text not null primary key,
  "publicKey" text not null,
  "privateKey" text not null,
  "createdAt" timestamptz not null,
  "expiresAt" timestamptz,
  "alg" text,
  "crv" text
);

-- Ours

-- One spelling of an e-mail, one account.
alter table identity."user" add constraint user_email_folded check ("email" = lower("email"));
-- A stranger's sign-in belongs to one user, whatever comes in at once.
create unique index account_once on identity."account" ("providerId", "accountId");
-- A shop of ours needs nothing at Google after the sign-in: its tokens are never kept.
alter table identity."account" add constraint account_keeps_no_tokens
  check ("accessToken" is null and "refreshToken" is null and "idToken" is null);

-- How often something was tried. The key is a keyed hash: nobody reads e-mails or addresses here.
create table identity.tries (
  key text primary key,
  count integer not null,
  window_ends_at timestamptz not null
);
create index tries_over on identity.tries (window_ends_at);
