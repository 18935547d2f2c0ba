-- works with: 20261123074100_bike_references.sql
-- Pictures of products (decision 73). The first picture of a product is `products.image`: it has a row at position 1 only
-- for its text and colour, which count while `image` is the same. The others have positions from 2, without gaps.
create table product_pictures (
  product_id text not null references products,
  position integer not null check (position between 1 and 12),
  image text not null check (length(image) between 1 and 2000),
  -- Null: the name of the product.
  alt text check (length(alt) between 1 and 200),
  -- The colour that it shows, as in `variants`. Null: any.
  colour text check (length(colour) between 1 and 40),
  primary key (product_id, position)
);
create index product_pictures_uploaded on product_pictures (substring(image from '^/pictures/uploaded/([0-9a-f]{32})'))
  where substring(image from '^/pictures/uploaded/([0-9a-f]{32})') is not null;

-- The pictures after the first one, separated as in the file.
alter table product_import_rows add column pictures text;
