-- Names begin with brands, and a brand is of one origin: by name, those of one origin stand far apart.
create index products_of_category_by_name on products (category, lower(name), created_at, id)
  where deleted_at is null;
