-- works with: 20261125230000_refunds.sql

alter table refunds validate constraint refunds_kind_check;
