-- works with: 20261123074100_bike_references.sql
-- A shipment can be set back. Emails about orders that fail stay in the outbox until an admin decides.

alter table order_events add reason text;
alter table order_events add constraint order_events_reason_check check (length(reason) between 1 and 300) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table order_events drop constraint order_events_kind_check;
alter table order_events add constraint order_events_kind_check
  check (kind in ('placed', 'options', 'claimed', 'processing', 'payment_failed', 'paid', 'shipped', 'cancelled',
    'expired', 'refund_due', 'refunded', 'refund_failed', 'items_cancelled', 'part_shipped', 'tracking_changed',
    'unshipped', 'return_requested', 'return_approved', 'return_rejected', 'return_closed', 'withdrawn')) not valid;

alter table mail_outbox add failed_at timestamptz;
alter table mail_outbox add failure text;

-- unused since: 20261123074100_bike_references.sql
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('password-reset', 'email-verification', 'email-change', 'email-changed', 'password-changed',
    'order-placed', 'order-received', 'order-shipped', 'order-cancelled', 'order-expired', 'order-refunded',
    'shipment-sent', 'tracking-added', 'shipment-withdrawn', 'return-approved', 'return-rejected',
    'withdrawal-received')) not valid;
