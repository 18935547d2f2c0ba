-- Settling an intent again changes nothing, so handled events are not recorded any more. A process of the previous version
-- responds 500 to webhooks until it stops, and the provider repeats them.
drop table payment_events;
