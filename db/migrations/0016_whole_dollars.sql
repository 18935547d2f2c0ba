-- A price is whole dollars, as the specification has it: no form, call or file takes another one. So none can be there
-- either that nobody could save again, or import after it was exported.
alter table products add constraint products_cost_whole_dollars check (price_cents % 100 = 0);
