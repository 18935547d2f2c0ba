-- no transaction
-- works with: 20261123074100_bike_references.sql
-- Deleted products and removed variants can be restored, so their pictures are used too. Earlier versions use these indexes
-- with their own condition.

create index concurrently if not exists products_uploaded
  on products (substring(image from '^/pictures/uploaded/([0-9a-f]{32})'))
  where substring(image from '^/pictures/uploaded/([0-9a-f]{32})') is not null;
drop index concurrently if exists products_uploaded_picture;

create index concurrently if not exists variants_uploaded
  on variants (substring(image from '^/pictures/uploaded/([0-9a-f]{32})'))
  where substring(image from '^/pictures/uploaded/([0-9a-f]{32})') is not null;
drop index concurrently if exists variants_uploaded_picture;
