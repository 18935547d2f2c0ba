import { toBikeSlug } from '../contract/bike-urls.ts'
import type { EditedFitment } from '../contract/fitments.ts'
import type { PartNumber } from '../contract/number-texts.ts'
import { bikes } from './bikes.ts'
import type { Drawing } from './kinds.ts'

/** Kinds of parts that do not depend on the bike. All others are made for particular bikes. */
export const fitKinds: Partial<Record<Drawing, 'universal' | 'gear'>> = {
  'air-filter': 'universal',
  boots: 'gear',
  gloves: 'gear',
  grip: 'universal',
  'helmet-full-face': 'gear',
  'helmet-open-face': 'gear',
  indicator: 'universal',
  jacket: 'gear',
  mirror: 'universal',
  oil: 'universal',
  'paddock-stand': 'gear',
  protector: 'gear',
  'tank-bag': 'universal',
  'tool-roll': 'gear',
  trousers: 'gear',
}

interface ProductFitments {
  /** Whether these are all bikes that it fits. */
  complete?: true
  /** Models, with their first and last year if not all of them fit. */
  models: (string | [model: string, from: number, to: number, version?: string])[]
  position?: string
  pieces?: number
  note?: string
}

/** Invented fitments, by the name of the product. Models that are not demo bikes belong to the invented make. */
const fitments: Record<string, ProductFitments> = {
  '320 mm floating front brake disc': {
    models: [
      ['YZF-R6', 2005, 2014],
      ['YZF-R1', 2004, 2014],
      ['Ninja ZX-6R', 2005, 2015],
      ['K6', 2010, 2014, 'ABS'],
    ],
    position: 'front',
    pieces: 2,
  },
  '310 mm lightweight front brake disc': {
    models: [
      ['CBR600RR', 2003, 2014],
      ['CBR1000RR', 2004, 2007],
      ['GSX-R600', 2004, 2009],
      ['GSX-R750', 2004, 2009],
    ],
    position: 'front',
    pieces: 2,
    note: 'Not for bikes with combined ABS',
  },
  '240 mm rear brake disc': {
    models: ['DL650 V-Strom', 'SV650', ['Versys 650', 2008, 2014], ['Ninja 650R', 2006, 2014]],
    position: 'rear',
    pieces: 1,
  },
  'Sintered front brake pads': {
    models: ['YZF-R6', 'YZF-R1', 'GSX-R600', 'GSX-R750', 'GSX-R1000', ['K6', 2010, 2014]],
    position: 'front',
    pieces: 2,
    note: 'One set per caliper',
  },
  'Organic rear brake pads': {
    models: ['KLR650', 'DR650SE', 'DR-Z400S', 'CB500F', 'SV650'],
    position: 'rear',
    pieces: 1,
  },
  'Track-day brake pads': {
    models: ['YZF-R6', ['GSX-R600', 2004, 2009]],
    position: 'front',
    pieces: 2,
  },
  'Rear shock absorber, 330 mm': {
    models: ['SV650', ['CBR600RR', 2003, 2006], ['GSX-R750', 2001, 2005]],
    position: 'rear',
    pieces: 1,
  },
  'Twin-shock rear absorber, 360 mm': {
    complete: true,
    models: ['Bonneville', 'Bonneville T100', 'Iron 883 (XL883N)', 'Sportster 1200 Custom (XL1200C)'],
    position: 'rear',
    pieces: 2,
  },
  'Titanium slip-on silencer': {
    models: [
      ['YZF-R6', 2006, 2014],
      ['Street Triple 675', 2008, 2012],
      ['S1000RR', 2009, 2014],
    ],
    note: 'Not with the standard centre stand',
  },
  'Black stainless slip-on silencer': {
    models: ['Versys 650', 'Ninja 650R', 'DL650 V-Strom'],
  },
  'Bronze-finish scrambler silencer': {
    complete: true,
    models: ['Bonneville', 'Bonneville T100'],
    pieces: 2,
  },
  'Folding brake and clutch levers, pair': {
    models: ['DR-Z400S', 'KLR650', 'WR250R', ['F800GS', 2008, 2012]],
  },
  'Adjustable sport levers, pair': {
    complete: true,
    models: ['YZF-R6', 'YZF-R1', 'CBR600RR', 'CBR1000RR', 'Ninja ZX-6R', 'Ninja ZX-10R'],
  },
  'Forged replacement levers, pair': {
    models: ['SV650', 'DL650 V-Strom', ['Street Triple 675', 2008, 2013], 'Speed Triple'],
  },
  'Lithium battery 12 V, 4 Ah': {
    models: ['YZF-R6', 'CBR600RR', 'GSX-R600', 'Street Triple 675', ['690 Duke', 2009, 2013]],
  },
  'AGM battery 12 V, 8 Ah': {
    models: ['SV650', 'Ninja 650R', 'Versys 650', 'CB500F', 'KLR650', 'Bonneville'],
  },
  'Gel battery 12 V, 12 Ah': {
    models: ['R1200GS', 'FJR1300', 'GL1800 Gold Wing'],
  },
  'Aluminium rear sprocket, 42 teeth, 520': {
    complete: true,
    models: ['690 Duke', '690 Enduro R', ['YZF-R6', 2006, 2014]],
    position: 'rear',
    pieces: 1,
    note: 'For a 520 chain conversion on the YZF-R6',
  },
  'Aluminium rear sprocket, 45 teeth, 520': {
    models: ['DR-Z400S', 'CRF250R', 'YZ250F', 'WR250R'],
    position: 'rear',
    pieces: 1,
  },
  'Steel rear sprocket, 43 teeth, 525': {
    models: ['DL650 V-Strom', ['F800GS', 2008, 2014], ['K6', 2010, 2014]],
    position: 'rear',
    pieces: 1,
  },
  '520 X-ring chain, 118 links': {
    models: ['Ninja 650R', 'Versys 650', 'CB500F', '690 Duke'],
    pieces: 1,
  },
  '525 O-ring chain, 120 links': {
    models: ['SV650', 'DL650 V-Strom', 'Speed Triple', 'Street Triple 675'],
    pieces: 1,
  },
  '428 standard chain, 132 links': {
    models: ['WR250R'],
    pieces: 1,
  },
  'Spin-on oil filter, M20': {
    models: [
      'YZF-R6',
      'YZF-R1',
      'FJR1300',
      'CBR600RR',
      'CBR1000RR',
      'CB500F',
      'Ninja 650R',
      'Versys 650',
      ['K6', 2010, 2014],
    ],
    pieces: 1,
  },
  'Racing oil filter with lock-wire nut': {
    models: ['GSX-R600', 'GSX-R750', 'GSX-R1000', 'Ninja ZX-10R', 'Ninja ZX-6R'],
    pieces: 1,
  },
  'Oil filter for singles up to 400 cc': {
    complete: true,
    models: ['DR-Z400S', 'WR250R', 'YZ250F', 'CRF250R'],
    pieces: 1,
  },
  '180/55 ZR17 sport tyre': {
    models: ['YZF-R6', 'CBR600RR', 'GSX-R600', 'GSX-R750', 'Ninja ZX-6R', 'Street Triple 675'],
    position: 'rear',
    pieces: 1,
  },
  '120/70 ZR17 sport front tyre': {
    models: [
      'YZF-R6',
      'YZF-R1',
      'CBR600RR',
      'CBR1000RR',
      'GSX-R600',
      'GSX-R750',
      'S1000RR',
      'Street Triple 675',
    ],
    position: 'front',
    pieces: 1,
  },
  '150/70 R18 adventure tyre': {
    models: [
      ['F800GS', 2008, 2014],
      ['R1200GS Adventure', 2006, 2014],
    ],
    position: 'rear',
    pieces: 1,
  },
  'Aluminium pannier, 37 L': {
    models: ['R1200GS', 'R1200GS Adventure', 'F800GS', 'DL650 V-Strom'],
    position: 'left',
  },
  'Sand-coated aluminium pannier, 31 L': {
    models: ['F800GS', 'KLR650', 'DR650SE'],
    position: 'right',
  },
  'Black aluminium top case, 38 L': {
    models: ['FJR1300', 'R1200GS', 'VFR1200F', 'DL650 V-Strom'],
  },
  '5¾-inch LED headlamp': {
    models: ['Iron 883 (XL883N)', 'Sportster 1200 Custom (XL1200C)'],
    position: 'front',
  },
  '7-inch LED headlamp': {
    models: ['Bonneville', 'Bonneville T100', 'Fat Boy (FLSTF)', 'Street Glide (FLHX)', 'Vulcan 900 Classic'],
    position: 'front',
  },
  'Smoked tail lamp with brake strobe': {
    models: [
      ['GSX-R600', 2011, 2014],
      ['GSX-R750', 2011, 2014],
    ],
    position: 'rear',
  },
}

/** Products that another one replaces, by name. */
export const replacements: Record<string, string> = {
  'Track-day brake pads': 'Sintered front brake pads',
  'Gel battery 12 V, 12 Ah': 'AGM battery 12 V, 8 Ah',
}

/** Invented numbers of other makers, by the name of the product. */
export const partNumbers: Record<string, PartNumber[]> = {
  'Sintered front brake pads': [
    { kind: 'oem', maker: 'Yamaha', number: 'DEMO-5SL-258' },
    { kind: 'oem', maker: 'Suzuki', number: 'DEMO-591-008' },
    { kind: 'interchange', maker: 'Brembana', number: 'DEMO-07HO45' },
    { kind: 'supersedes', maker: 'Grauwerk', number: 'DEMO-BP-0091' },
  ],
  '320 mm floating front brake disc': [
    { kind: 'oem', maker: 'Yamaha', number: 'DEMO-2C0-2581T' },
    { kind: 'interchange', maker: 'Brembana', number: 'DEMO-78B-408' },
  ],
  'AGM battery 12 V, 8 Ah': [
    { kind: 'oem', maker: 'Kawasaki', number: 'DEMO-26012-0' },
    { kind: 'supersedes', number: 'DEMO-AGM-7' },
  ],
  '520 X-ring chain, 118 links': [{ kind: 'interchange', maker: 'Kettenring', number: 'DEMO-520X-118' }],
  'Adjustable sport levers, pair': [{ kind: 'oem', maker: 'Honda', number: 'DEMO-53175-MEE' }],
}

/** Returns the fitments of a product by its name; null if it has none. */
export function findDemoFitments(name: string): { complete: boolean; fitments: EditedFitment[] } | null {
  const found = fitments[name]
  if (!found) return null
  const { complete = false, models, position, pieces, note } = found
  return {
    complete,
    fitments: models.map((entry) => {
      const [model, from, to, version] = [entry].flat() as [string, number?, number?, string?]
      const bike = bikes.find((each) => each.model === model)
      return {
        make: toBikeSlug(bike?.make ?? 'Hayashi'),
        model: toBikeSlug(model),
        yearFrom: from ?? bike?.years[0]?.[0] ?? 0,
        yearTo: to ?? bike?.years.at(-1)?.[1] ?? 0,
        version,
        position,
        pieces,
        note,
        source: 'demo',
      }
    }),
  }
}
