-- works with: 20261123074100_bike_references.sql

alter table products validate constraint products_category_check;
alter table products validate constraint products_options_check;
alter table products validate constraint products_fit_kind_check;
alter table orders validate constraint orders_status_check;
alter table orders validate constraint orders_check1;
alter table order_lines validate constraint order_lines_options_check;
alter table order_lines validate constraint order_lines_fit;
alter table order_events validate constraint order_events_kind_check;
alter table stock_movements validate constraint stock_movements_kind_check;
alter table stock_movements validate constraint stock_movements_check;
