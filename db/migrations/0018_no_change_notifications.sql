-- Pages and public answers are cached by age and by content (decision 21): no process needs to be notified of a change.

drop trigger tell_insert on products;
drop trigger tell_update on products;
drop trigger tell_delete on products;
drop trigger tell_truncate on products;
drop trigger tell_change on reviews;

drop function tell_products_added_or_removed();
drop function tell_products_updated();
drop function tell_table_changed();
drop function tell_change(text);
