-- Pictures that were uploaded: every process on every machine finds them here. Decision 26.

create table pictures (
  -- Of what was uploaded and how it is made smaller: the same picture is the same row.
  hash text primary key check (hash ~ '^[0-9a-f]{32}$'),
  widest integer not null,
  uploaded_by text references customers,
  -- The last time that somebody uploaded it.
  uploaded_at timestamptz not null default now()
);

create table picture_files (
  hash text not null references pictures on delete cascade,
  width integer not null,
  format text not null check (format in ('avif', 'webp', 'jpeg')),
  content bytea not null,
  primary key (hash, width, format)
);
-- Pictures are compressed already.
alter table picture_files alter column content set storage external;

-- Who shows an uploaded picture.
create index products_uploaded_picture on products (substring(image from '^/pictures/uploaded/([0-9a-f]{32})'))
  where deleted_at is null and substring(image from '^/pictures/uploaded/([0-9a-f]{32})') is not null;
create index order_lines_uploaded_picture
  on order_lines (substring(product_image from '^/pictures/uploaded/([0-9a-f]{32})'))
  where substring(product_image from '^/pictures/uploaded/([0-9a-f]{32})') is not null;
