-- A customer has added the order of a guest to their account.

alter table order_events drop constraint order_events_kind_check,
  add constraint order_events_kind_check check (kind in ('placed', 'options', 'claimed', 'processing', 'payment_failed',
    'paid', 'shipped', 'cancelled', 'expired', 'refund_due', 'refunded', 'refund_failed'));
