import { sql } from 'kysely'
import type { OpenDatabase } from '../server/platform/database/database.ts'

/** A condition: the object belongs to no extension. */
const isOurs = (catalog: string, oid: string) =>
  `not exists (select from pg_depend where deptype = 'e' and classid = ${catalog} and objid = ${oid})`

/** One select per kind of object: its name and everything that a statement could have set. */
const descriptions = [
  `select 'extension ' || extname, extnamespace::regnamespace::text from pg_extension`,
  `select 'schema ' || nspname, concat_ws(' ', nspacl) from schemas`,
  `select 'relation ' || relation,
     concat_ws(' ', relkind, relpersistence, relrowsecurity, relreplident, reloptions, relacl) from relations`,
  // Only columns that are not dropped, so that their numbers match.
  `select 'column ' || relation || '.' || attname,
     concat_ws(' ', row_number() over (partition by attrelid order by attnum), format_type(atttypid, atttypmod),
       attcollation::regcollation, attnotnull, attidentity, attgenerated, attstorage, attcompression, attstattarget,
       attoptions, attacl, pg_get_expr(adbin, adrelid))
   from pg_attribute join relations on relations.oid = attrelid
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where attnum > 0 and not attisdropped and relkind <> 'i'`,
  `select 'constraint ' || relation || ' ' || conname,
     concat_ws(' ', pg_get_constraintdef(c.oid), convalidated, conenforced, condeferrable, condeferred)
   from pg_constraint c join relations on relations.oid = conrelid`,
  `select 'index ' || relation, concat_ws(' ', pg_get_indexdef(oid), indisvalid, indisready, indisclustered)
   from relations join pg_index on indexrelid = oid`,
  `select 'view ' || relation, pg_get_viewdef(oid) from relations where relkind in ('v', 'm')`,
  `select 'sequence ' || schemaname || '.' || sequencename,
     concat_ws(' ', data_type, start_value, min_value, max_value, increment_by, cycle, cache_size, last_value)
   from pg_sequences where schemaname in (select nspname from schemas)`,
  `select 'trigger ' || relation || ' ' || tgname, concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled)
   from pg_trigger t join relations on relations.oid = tgrelid where not tgisinternal`,
  `select 'rule ' || relation || ' ' || rulename, pg_get_ruledef(r.oid)
   from pg_rewrite r join relations on relations.oid = ev_class`,
  `select 'policy ' || relation || ' ' || polname, pg_get_expr(polqual, polrelid)
   from pg_policy join relations on relations.oid = polrelid`,
  `select 'function ' || p.oid::regprocedure,
     concat_ws(' ', proacl, case when prokind in ('f', 'p') then pg_get_functiondef(p.oid) end)
   from pg_proc p join schemas on schemas.oid = pronamespace where ${isOurs(`'pg_proc'::regclass`, 'p.oid')}`,
  `select 'type ' || t.oid::regtype, concat_ws(' ', typtype, typcategory, typacl)
   from pg_type t join schemas on schemas.oid = typnamespace where ${isOurs(`'pg_type'::regclass`, 't.oid')}`,
  `select 'statistics ' || stxname, concat_ws(' ', pg_get_statisticsobjdef(s.oid), stxstattarget)
   from pg_statistic_ext s join schemas on schemas.oid = stxnamespace`,
  `select 'dictionary ' || dictname, concat_ws(' ', tmplname, dictinitoption)
   from pg_ts_dict d join schemas on schemas.oid = dictnamespace join pg_ts_template t on t.oid = dicttemplate
   where ${isOurs(`'pg_ts_dict'::regclass`, 'd.oid')}`,
  `select 'search configuration ' || cfgname || ' ' || alias,
     string_agg(mapdict::regdictionary::text, ', ' order by mapseqno)
   from pg_ts_config c join schemas on schemas.oid = cfgnamespace join pg_ts_config_map on mapcfg = c.oid
     join ts_token_type(cfgparser) on tokid = maptokentype
   group by cfgname, alias`,
  `select 'default privileges ' || defaclobjtype::text, concat_ws(' ', defaclrole::regrole, defaclacl) from pg_default_acl`,
  `select 'comment ' || pg_describe_object(classoid, objoid, objsubid), description from pg_description d
   where objoid >= 16384 and ${isOurs('classoid', 'objoid')}`,
  // Number and checksum of the rows in each table.
  `select 'rows ' || relation, query_to_xml(format(
     'select count(*), md5(string_agg(t::text, '','' order by t::text)) from %s as t', relation), true, true, '')::text
   from relations where relkind = 'r' and relation <> 'public.migrations'`,
]

/**
 * Returns a line for each object of the shop's schemas, and a checksum for the rows of each table except
 * `migrations`, to compare two databases.
 */
export async function describeSchema({ db }: Pick<OpenDatabase, 'db'>): Promise<Record<string, string>> {
  const { rows } = await sql
    .raw<{ name: string; definition: string }>(
      `with schemas as (select oid, nspname, nspacl from pg_namespace where nspname in ('public', 'identity', 'sandbox')),
       relations as (
         select c.oid, nspname || '.' || relname as relation, relkind, relpersistence, relrowsecurity, relreplident,
           reloptions, relacl from pg_class c join schemas on schemas.oid = relnamespace)
       select * from (${descriptions.join(' union all ')}) as described (name, definition)`,
    )
    .execute(db)
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]))
}
