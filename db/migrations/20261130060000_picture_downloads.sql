-- works with: 20261123074100_bike_references.sql
-- Copies of pictures at other addresses (decision 93).

-- A picture of a product file that a job copies. After that, imports use the copy in place of the URL.
create table picture_downloads (
  url text primary key check (length(url) <= 2000),
  -- The products that show the URL.
  product_ids text[] not null,
  -- The hosts that an admin has allowed. Redirects must not lead to others.
  hosts text[] not null,
  requested_by text not null references customers,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  -- The copy in the shop.
  image text,
  -- Why it has failed.
  reason text,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  check ((state = 'done') = (image is not null)),
  check ((state = 'failed') = (reason is not null))
);
create index picture_downloads_due on picture_downloads (next_attempt_at) where state = 'waiting';
-- The file name in the URL, by which an admin uploads a missing picture.
create index picture_downloads_name on picture_downloads (lower(substring(url from '([^/?#]+)(?:[?#].*)?$')))
  where state <> 'done';
create index picture_downloads_image on picture_downloads (substring(image from '^/pictures/uploaded/([0-9a-f]{32})'))
  where image is not null;

alter table product_imports
  -- The hosts of pictures in the file, with the number of their pictures.
  add column if not exists picture_hosts jsonb not null default '[]',
  -- The hosts whose pictures the import copies.
  add column copied_hosts text[] not null default '{}';
