-- works with: 20261123074100_bike_references.sql
-- An admin places an order for a caller, who pays it by a link until `pay_by` (decision 89).

alter table orders add pay_by timestamptz, add placed_by text;
alter table orders add constraint orders_placed_by_fkey foreign key (placed_by) references customers not valid;
alter table orders add constraint orders_pay_by_check check ((pay_by is null) = (placed_by is null)) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('password-reset', 'email-verification', 'email-change', 'email-changed', 'password-changed',
    'order-placed', 'order-received', 'order-shipped', 'order-cancelled', 'order-expired', 'order-refunded',
    'shipment-sent', 'tracking-added', 'shipment-withdrawn', 'return-approved', 'return-rejected',
    'withdrawal-received', 'payment-link')) not valid;
