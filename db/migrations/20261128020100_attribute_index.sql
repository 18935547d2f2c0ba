-- no transaction
-- works with: 20261123074100_bike_references.sql

-- Finds a rare value in a large kind of part. Most products have no attributes: they are not in it.
create index concurrently if not exists products_attributes_value on products using gin (attributes jsonb_path_ops)
  where attributes <> '{}';
