-- Identifies SHOP_SECRET, so that a process with another secret does not start. One row.
create table secret_fingerprint (
  is_only boolean primary key default true check (is_only),
  fingerprint text not null
);
