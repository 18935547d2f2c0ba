-- The options of the product when it was ordered: only the size and colour of a line with `standard` can be changed.

alter table order_lines add column options text not null default 'standard'
  check (options in ('none', 'standard', 'variants'));
update order_lines set options = products.options
from products where products.id = product_id and products.options <> 'standard';
