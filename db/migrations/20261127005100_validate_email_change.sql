-- works with: 20261123074100_bike_references.sql

alter table identity.email_tokens validate constraint email_tokens_purpose_check;
alter table identity.email_tokens validate constraint email_tokens_new_email_check;
alter table mail_outbox validate constraint mail_outbox_kind_check;
