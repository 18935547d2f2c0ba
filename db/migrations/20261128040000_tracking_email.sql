-- works with: 20261123074100_bike_references.sql
-- The email about a tracking number that is added after the shipment was sent.

alter table shipments add column tracking_emailed_at timestamptz;

-- unused since: 20261123074100_bike_references.sql
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('password-reset', 'email-verification', 'email-change', 'email-changed', 'password-changed',
    'order-placed', 'order-received', 'order-shipped', 'order-cancelled', 'order-expired', 'order-refunded',
    'shipment-sent', 'tracking-added', 'return-approved', 'return-rejected', 'withdrawal-received')) not valid;
