import type { Kysely } from 'kysely'
import type { ImportKind } from '../../../../contract/imports.ts'
import type { EditedSupplierFile, Supplier, SupplierFile } from '../../../../contract/supplier-files.ts'
import type { Database } from '../../../../db/schema.ts'
import { toColumnKey } from '../read-file.ts'

/** Returns how the files of a supplier are read, if that is stored. */
export function findFile(
  db: Kysely<Database>,
  supplier: string,
  kind: ImportKind,
): Promise<EditedSupplierFile | undefined> {
  return db
    .selectFrom('supplier_files')
    .select(['columns', 'encoding', 'mode'])
    .where('supplier', '=', supplier)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

/** Lists the suppliers with stored columns, by name. */
export async function listSuppliers(db: Kysely<Database>): Promise<Supplier[]> {
  const rows = await db
    .selectFrom('supplier_files')
    .select(['supplier', 'kind', 'columns', 'encoding', 'mode'])
    .orderBy('supplier')
    .orderBy('kind')
    .limit(maxSupplierFiles)
    .execute()
  const files = Map.groupBy(rows, ({ supplier }) => supplier)
  return Array.from(files, ([name, own]) => ({ name, files: own }))
}

/** More than any shop has. */
const maxSupplierFiles = 2000

/** Stores how the files of a supplier are read. */
export async function saveFile(
  db: Kysely<Database>,
  supplier: string,
  kind: ImportKind,
  { columns, encoding, mode }: EditedSupplierFile,
): Promise<SupplierFile> {
  const keys = Object.entries(columns).map(([name, column]) => [toColumnKey(name), column] as const)
  const row = { columns: JSON.stringify(Object.fromEntries(keys)), encoding, mode }
  return db
    .insertInto('supplier_files')
    .values({ supplier, kind, ...row })
    .onConflict((conflict) => conflict.columns(['supplier', 'kind']).doUpdateSet(row))
    .returning(['kind', 'columns', 'encoding', 'mode'])
    .executeTakeFirstOrThrow()
}
