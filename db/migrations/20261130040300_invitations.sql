-- works with: 20261123074100_bike_references.sql
-- Invitations of staff (decision 91). The token of the link is derived from id and version, so no table contains it.

create table invitations (
  id text primary key,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'editor', 'packer', 'support')),
  -- Sending it again adds 1, which voids the earlier link.
  version integer not null default 1 check (version >= 1),
  -- The person who sent it last. Their right to give the role is checked again when it is accepted.
  invited_by text not null references customers,
  expires_at timestamptz not null,
  accepted_by text references customers,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  check (accepted_by is null or revoked_at is null)
);
create unique index invitations_open on invitations (email) where accepted_by is null and revoked_at is null;

-- unused since: 20261123074100_bike_references.sql
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('password-reset', 'email-verification', 'email-change', 'email-changed', 'password-changed',
    'order-placed', 'order-received', 'order-shipped', 'order-cancelled', 'order-expired', 'order-refunded',
    'shipment-sent', 'tracking-added', 'shipment-withdrawn', 'return-approved', 'return-rejected',
    'withdrawal-received', 'payment-link', 'invitation')) not valid;
