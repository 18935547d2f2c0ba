-- Catalog ---------------------------------------------------------------------------------------------------------

-- Prices may have cents. Only the form and the call of the specification are limited to whole dollars.
alter table products drop constraint products_whole_dollars;
