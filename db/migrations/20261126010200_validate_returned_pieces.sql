-- works with: 20261123074100_bike_references.sql

alter table refunds validate constraint refunds_kind_check;
