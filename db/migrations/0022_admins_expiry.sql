-- A null role records that the admin role was removed.
alter table role_changes alter column role drop not null;

-- The demo's unpaid order never expires.
alter table orders add column expires boolean not null default true;

-- An expiry email is about one order, named by `subject`; emails about an account have none.
alter table mail_outbox add column subject text not null default '';
alter table mail_outbox drop constraint mail_outbox_once;
alter table mail_outbox add constraint mail_outbox_once unique (kind, email, subject);
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('password-reset', 'email-verification', 'password-changed', 'order-expired'));
