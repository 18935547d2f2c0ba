-- works with: 20261123074100_bike_references.sql
-- Pages, posts and redirects (decision 85).

create table documents (
  id text primary key,
  kind text not null check (kind in ('page', 'post')),
  -- The last part of the path /pages/{slug} or /blogs/{slug}.
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  -- Every page of the shop links a legal page in its footer.
  legal_kind text check (legal_kind in ('imprint', 'terms', 'privacy', 'withdrawal', 'shipping')),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  check (legal_kind is null or kind = 'page')
);
create unique index documents_slug on documents (kind, slug);
create unique index documents_legal_kind on documents (legal_kind) where legal_kind is not null;

-- The texts of a document. Visible is the one with the latest `published_at` that is not in the future.
create table document_versions (
  document_id text not null references documents,
  number integer not null check (number >= 1),
  title text not null check (length(title) <= 120),
  summary text not null default '' check (length(summary) <= 300),
  category text not null default '' check (length(category) <= 40),
  -- The URL of an uploaded picture.
  image text check (length(image) <= 200),
  -- Markdown.
  body text not null check (length(body) <= 100000),
  saved_by text references customers,
  saved_at timestamptz not null default now(),
  -- Null: the draft. In the future: the version is scheduled.
  published_at timestamptz,
  primary key (document_id, number)
);
create unique index document_drafts on document_versions (document_id) where published_at is null;
create index document_versions_visible on document_versions (document_id, published_at desc, number desc)
  where published_at is not null;

-- A version that visitors have seen never changes: it may be the terms of an order.
create trigger visible_version before update or delete on document_versions for each row
  when (old.published_at <= clock_timestamp()) execute function refuse_change();
create trigger not_truncated before truncate on document_versions execute function refuse_change();

-- Paths of an earlier shop, or of documents with a new address. Read only for a path without a page.
create table redirects (
  -- Decoded, in NFC and lower case, without a trailing slash.
  path text collate "C" primary key check (path ~ '^/.' and length(path) <= 500),
  product_id text references products,
  document_id text references documents,
  -- A path of this shop, perhaps with a query.
  target text check (target ~ '^/(?![/\\])' and length(target) <= 500),
  source text not null check (source in ('renamed', 'file', 'admin')),
  created_at timestamptz not null default now(),
  check (num_nonnulls(product_id, document_id, target) = 1)
);
create index redirects_product on redirects (product_id) where product_id is not null;
create index redirects_document on redirects (document_id) where document_id is not null;
create index redirects_target on redirects (target) where target is not null;
