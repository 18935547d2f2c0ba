-- works with: 20261123074100_bike_references.sql
-- An account can change its email. The link goes to the new address.

alter table identity.email_tokens add column new_email text;

-- unused since: 20261123074100_bike_references.sql
alter table identity.email_tokens drop constraint email_tokens_purpose_check;
alter table identity.email_tokens add constraint email_tokens_purpose_check
  check (purpose in ('password-reset', 'email-verification', 'email-change')) not valid;
alter table identity.email_tokens add constraint email_tokens_new_email_check
  check ((new_email is not null) = (purpose = 'email-change') and new_email = lower(new_email)) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('password-reset', 'email-verification', 'email-change', 'email-changed', 'password-changed',
    'order-placed', 'order-received', 'order-shipped', 'order-cancelled', 'order-expired', 'order-refunded',
    'shipment-sent', 'return-approved', 'return-rejected', 'withdrawal-received')) not valid;
