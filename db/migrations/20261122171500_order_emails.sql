-- Emails about orders: received, shipped, cancelled, expired ----------------------------------------------------------

alter table mail_outbox drop constraint mail_outbox_kind_check,
  add constraint mail_outbox_kind_check check (kind in ('password-reset', 'email-verification', 'password-changed',
    'order-received', 'order-shipped', 'order-cancelled', 'order-expired'));

-- Sandbox mailbox -----------------------------------------------------------------------------------------------------

alter table sandbox.mailbox
  -- The sender may send a message twice; the mailbox stores it once. Null for messages stored before.
  add column message_id text unique,
  add column html text not null default '';
