-- Letters that wait to be sent: to whom and what about, never what they say. A letter is written at the moment when
-- it is sent, so that no secret link ever stands here. A row goes when its letter has gone.
create table mail_outbox (
  id text primary key,
  kind text not null check (kind in ('password-reset', 'email-verification', 'password-changed')),
  email text not null check (email = lower(email)),
  -- Worth nothing after this.
  expires_at timestamptz not null,
  attempts integer not null default 0,
  -- While a process sends it: when the others may think that one dead.
  next_attempt_at timestamptz not null default now(),
  -- One that waits is enough, however often it is asked for.
  constraint mail_outbox_once unique (kind, email)
);
create index mail_outbox_due on mail_outbox (next_attempt_at);

-- The demo's mailbox: what would have been sent, had the shop a mail server. The links in it are live.
create table sandbox.mailbox (
  id bigint generated always as identity primary key,
  email text not null,
  subject text not null,
  body text not null,
  received_at timestamptz not null default now()
);

-- What the links in letters stand for: hashed, one of a kind for each account, so that a new one voids the old.
create table identity.email_tokens (
  user_id text not null references identity."user" ("id") on delete cascade,
  purpose text not null check (purpose in ('password-reset', 'email-verification')),
  token_hash text not null unique,
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);
create index email_tokens_over on identity.email_tokens (expires_at);
