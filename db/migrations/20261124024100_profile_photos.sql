-- works with: 20261123074100_bike_references.sql

-- The shop's copy of the photo of a profile: uploaded, or fetched once from the URL that the customer gave.
create table profile_photos (
  customer_id text primary key references customers on delete cascade,
  -- The photo of the customer to which the row belongs.
  url text not null,
  hash text unique references pictures,
  problem text check (problem in ('not_public', 'unreachable', 'not_an_image', 'too_large')),
  attempts integer not null default 0,
  -- Null: there is nothing to fetch.
  due_at timestamptz
);
create index profile_photos_due on profile_photos (due_at) where due_at is not null;

insert into profile_photos (customer_id, url, due_at)
select id, photo, now() from customers where photo ~ '^https?://';
