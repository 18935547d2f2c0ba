import type { ProductFileColumn } from './imports.ts'

/**
 * Names of columns in the files of wholesalers, in lower case without spaces, dots, dashes and accents. An admin confirms
 * each guess.
 */
const names: Partial<Record<ProductFileColumn, string>> = {
  sku: `
    artikelnummer artikelnr artnr artikelno artnumber articlenumber articleno article itemnumber itemno item partnumber
    partno partnr productcode productnumber bestellnummer bestellnr teilenummer teilenr herstellernummer mpn reference
    ref referenz codearticle codigo referencia codice codicearticolo numerkatalogowy`,
  name: `
    bezeichnung artikelbezeichnung artikelname produktname productname title titel designation libelle nombre
    denominacion descrizionebreve nazwa shortdescription kurzbeschreibung kurztext`,
  description: `beschreibung langtext artikelbeschreibung longdescription details descripcion descrizione opis`,
  brand: `marke hersteller manufacturer maker make marque fabricant marca produttore producent`,
  kind: `warengruppe produktgruppe artikelgruppe kategorie category productgroup group1 famille familia categoria`,
  price: `
    preis vk vkpreis verkaufspreis uvp uvpbrutto uvpinklmwst listenpreis endpreis bruttopreis msrp rrp srp retailprice
    listprice saleprice unitprice prix prixpublic pvp precio prezzo prezzoalpubblico cena`,
  quantity: `
    bestand lagerbestand menge anzahl stuck stueck stock stocklevel qty availablequantity available onhand verfugbar
    verfugbarkeit quantite disponible cantidad existencias quantita giacenza ilosc`,
  gtin: `ean eancode ean13 gtin13 gtin14 upc upccode barcode barcodenummer strichcode codebarre`,
  image: `bild bildurl bildlink bild1 imageurl imagelink image1 picture pictureurl photo foto imagen immagine`,
  weight: `gewicht gewichtg gewichtingramm weightg grammage`,
  size: `grosse groesse konfektionsgrosse taille talla taglia rozmiar`,
  colour: `farbe color couleur colore kolor`,
  low_stock: `meldebestand bestellpunkt reorderpoint reorderlevel stockalert`,
  minimum: `mindestmenge mindestbestellmenge moq minorder minimumorder minqty`,
}

const columnsByName = new Map(
  Object.entries(names).flatMap(([column, known]) =>
    known
      .trim()
      .split(/\s+/)
      .map((name) => [name, column] as const),
  ),
)

/** Returns the column of a product file that a column with this name probably is, or null. */
export function guessColumn(name: string): string | null {
  const key = name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '')
  return columnsByName.get(key) ?? null
}
