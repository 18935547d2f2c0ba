-- works with: 20261123074100_bike_references.sql
-- The attributes of parts (decision 74): each kind of part defines them, and each product has values.

-- Such as [{"name": "Pitch", "type": "choice", "choices": ["520", "525"]}, {"name": "Links", "type": "number"}], in the order
-- of display. Number attributes and choices can have a "unit".
create table kind_attributes (
  kind text primary key check (length(kind) between 1 and 80),
  attributes jsonb not null check (jsonb_typeof(attributes) = 'array' and jsonb_array_length(attributes) between 1 and 12)
);

-- The values by name: a number or one of the choices. The constant default rewrites no row.
alter table products add column attributes jsonb not null default '{}';
alter table products add constraint products_attributes
  check (jsonb_typeof(attributes) = 'object' and octet_length(attributes::text) <= 8000) not valid;

-- The value that a text means for an attribute; null if it is not valid. A comma before three digits may separate thousands.
create function attribute_value(definition jsonb, typed text) returns jsonb language sql immutable parallel safe as $$
  select case definition ->> 'type'
    when 'number' then case when typed ~ '^-?\d{1,6}(\.\d{1,3}|,\d{1,2})?$'
      then to_jsonb(trim_scale(replace(typed, ',', '.')::numeric)) end
    else (select choice from jsonb_array_elements(definition -> 'choices') as choice
      where lower((choice #>> '{}') collate pg_catalog.pg_c_utf8) = lower(typed collate pg_catalog.pg_c_utf8)
      limit 1) end $$;

-- As in the file: texts by the name of an attribute in lower case, null for a blank cell. Without such columns it is null.
alter table product_import_rows add column attributes jsonb;
-- Set when the rows are matched, if the file has such columns.
alter table product_import_rows add column target_attributes jsonb;
