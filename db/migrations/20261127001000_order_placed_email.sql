-- works with: 20261123074100_bike_references.sql
-- The email to a guest about an order that is not paid yet.

-- unused since: 20261123074100_bike_references.sql
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('password-reset', 'email-verification', 'password-changed', 'order-received', 'order-shipped',
    'order-cancelled', 'order-expired', 'order-refunded', 'shipment-sent', 'return-approved', 'return-rejected',
    'withdrawal-received', 'order-placed')) not valid;
