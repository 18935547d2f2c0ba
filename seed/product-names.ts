import type { Drawing } from './kinds.ts'

/** A kind of part with its names, variants and prices in whole dollars. */
export interface Line {
  drawing: Drawing
  nouns: string[]
  /** Colours, materials or counts. */
  variants: string[]
  price: [min: number, max: number]
  /** The minimum quantity per order. */
  minimum: number
  /** Whether it is made for certain motorcycles. */
  fits: boolean
  /** Whether it is worn, and so has sizes. */
  isGear: boolean
  description: string
}

/** Brands that make similar parts. Brands, suppliers and motorcycles are invented. */
interface Family {
  suppliers: string[]
  category: 'Local' | 'Imported'
  brands: string[]
  lines: Line[]
}

/** Motorcycles that the parts fit. */
export const motorcycles = [
  'Castella Strada 400',
  'Castella Strada 700',
  'Castella Veloce 900',
  'Castella Borgo 125',
  'Norvik Trail 450',
  'Norvik Trail 700',
  'Norvik Fjord 1200',
  'Norvik Scout 300',
  'Hayashi K4',
  'Hayashi K6',
  'Hayashi K10 R',
  'Hayashi Wanderer 650',
  'Brightwell Roadster 350',
  'Brightwell Roadster 650',
  'Brightwell Scrambler 500',
  'Adlerhorst R 90',
  'Adlerhorst GT 1600',
  'Adlerhorst Enduro 850',
  'Adlerhorst City 310',
  'Mesa Bobber 1100',
  'Mesa Cruiser 883',
  'Mesa Bagger 1700',
  'Mesa Flat Track 750',
  'Pulsano 50',
  'Pulsano 125 S',
  'Pulsano Vespero 300',
  'Kumara 200',
  'Kumara 390 Duo',
]

export const series = [
  'Apex',
  'Atlas',
  'Borough',
  'Comet',
  'Cordell',
  'Drover',
  'Ember',
  'Fathom',
  'Foundry',
  'Gale',
  'Harrow',

  'Juniper',
  'Keel',
  'Lowland',
  'Marlow',
  'Nomad',
  'Orchard',
  'Pinnacle',
  'Quarry',
  'Ridgeway',
  'Sable',
  'Tarn',
  'Umber',
  'Vantage',
  'Wharf',
  'Yonder',
  'Zénith',
  'Café',
  'Sørland',
  'Málaga',
]

const line = (
  drawing: Drawing,
  nouns: string[],
  variants: string[],
  price: Line['price'],
  description: string,
  { minimum = 1, fits = false, isGear = false } = {},
): Line => ({ drawing, nouns, variants, price, minimum, fits, isGear, description })

const fits = { fits: true }
const gear = { isGear: true }
const colours = ['black', 'white', 'silver', 'matt grey', 'red', 'blue', 'green', 'sand']

export const families: Family[] = [
  {
    suppliers: ['Meridian Moto Import', 'Eastlight Components'],
    category: 'Imported',
    brands: ['Grauwerk', 'Calverton', 'Ironbeck', 'Brembana', 'Sintrex', 'Dunmoor', 'Pelloway', 'Haltwerk'],
    lines: [
      line(
        'brake-disc',
        ['floating brake disc', 'wave brake disc', 'solid brake disc'],
        ['220 mm', '240 mm', '260 mm', '280 mm', '300 mm', '310 mm', '320 mm'],
        [59, 289],
        'Stainless rotor, laser-cut and flat to 0.05 mm. Change the pads with it, and bed both in over 200 km.',
        fits,
      ),
      line(
        'brake-pads',
        ['sintered brake pads', 'organic brake pads', 'racing brake pads'],
        ['front', 'rear', 'front pair', 'with shims'],
        [14, 79],
        'Bite from the first stop, wet or dry. Sold for one caliper.',
        { minimum: 2, fits: true },
      ),
      line(
        'lever',
        ['folding brake lever', 'clutch lever', 'short lever set'],
        colours,
        [19, 139],
        'Forged aluminium with six steps of reach. It folds instead of breaking.',
        fits,
      ),
    ],
  },
  {
    suppliers: ['Northgate Moto Supply', 'Quayside Parts Company'],
    category: 'Local',
    brands: ['Dravic', 'Kettlewell', 'Linksmith', 'Ostrander', 'Rollek', 'Torvane'],
    lines: [
      line(
        'chain',
        ['X-ring chain', 'O-ring chain', 'standard chain', 'race chain'],
        ['428, 126 links', '520, 112 links', '520, 118 links', '525, 120 links', '530, 116 links'],
        [29, 189],
        'Pre-stretched and sealed. A rivet link comes along.',
      ),
      line(
        'sprocket',
        ['rear sprocket', 'front sprocket', 'aluminium rear sprocket'],
        ['14 teeth', '15 teeth', '16 teeth', '41 teeth', '43 teeth', '45 teeth', '48 teeth'],
        [12, 84],
        'Hardened teeth, drilled for low weight. Change chain and sprockets together.',
        fits,
      ),
    ],
  },
  {
    suppliers: ['Alder & Finch Wholesale', 'Two Rivers Trading'],
    category: 'Local',
    brands: ['Stagholt', 'Ölberg', 'Vanthorpe', 'Lubrina', 'Merrowby', 'Cleanbore'],
    lines: [
      line(
        'oil',
        ['semi-synthetic engine oil', 'full-synthetic engine oil', 'fork oil', 'gear oil'],
        ['10W-40, 1 L', '10W-40, 4 L', '5W-40, 4 L', '15W-50, 4 L', '20W-50, 1 L'],
        [9, 79],
        'Made for wet clutches. Holds its grade to the next change.',
        { minimum: 2 },
      ),
      line(
        'oil-filter',
        ['spin-on oil filter', 'oil filter insert', 'racing oil filter'],
        ['M20', 'with lock-wire nut', 'with O-rings', 'chrome'],
        [6, 29],
        'Bypass valve and anti-drain membrane as the maker fits them.',
        { minimum: 3, fits: true },
      ),
      line(
        'air-filter',
        ['cone air filter', 'panel air filter', 'foam air filter'],
        ['48 mm flange', '54 mm flange', '60 mm flange', 'washable'],
        [12, 89],
        'Cotton gauze between two meshes of steel. Wash, oil, and it is new again.',
        fits,
      ),
    ],
  },
  {
    suppliers: ['Meridian Moto Import', 'Two Rivers Trading'],
    category: 'Imported',
    brands: ['Kavarro', 'Hollowtone', 'Arrostra', 'Blackpipe', 'Sonant'],
    lines: [
      line(
        'exhaust',
        ['slip-on silencer', 'full exhaust system', 'link pipe', 'heat shield'],
        ['titanium', 'carbon', 'stainless', 'black stainless', 'with catalyst'],
        [69, 899],
        'Comes with its approval papers and a removable baffle.',
        fits,
      ),
      line(
        'shock',
        ['rear shock absorber', 'twin-shock pair', 'fork spring set'],
        ['310 mm', '330 mm', '345 mm', '360 mm', 'with reservoir'],
        [99, 789],
        'Rebound in 24 clicks, preload by a threaded collar. It can be rebuilt.',
        fits,
      ),
    ],
  },
  {
    suppliers: ['Eastlight Components', 'Quayside Parts Company'],
    category: 'Imported',
    brands: ['Lumenor', 'Volthaus', 'Fenwright', 'Amberly', 'Ohmland', 'Brightforge', 'Zephrane'],
    lines: [
      line(
        'battery',
        ['lithium battery', 'AGM battery', 'gel battery'],
        ['12 V, 4 Ah', '12 V, 8 Ah', '12 V, 10 Ah', '12 V, 12 Ah', '12 V, 18 Ah'],
        [39, 249],
        'Filled, charged and sealed: ready to fit.',
      ),
      line(
        'headlamp',
        ['LED headlamp', 'halogen headlamp', 'auxiliary lamp pair'],
        ['5¾ inch', '7 inch', 'bottom-mounted', 'side-mounted'],
        [39, 329],
        'Approved for the road, with a cut-off that spares who comes towards you.',
        fits,
      ),
      line(
        'tail-lamp',
        ['LED tail lamp', 'smoked tail lamp', 'number-plate lamp'],
        ['round', 'slim', 'with bracket'],
        [12, 69],
        'Brake light and tail light in one, sealed against water.',
        fits,
      ),
      line(
        'indicator',
        ['LED indicator', 'bar-end indicator', 'sequential indicator'],
        ['pair', 'smoked', 'amber'],
        [9, 59],
        'Brings its own resistor, so that it blinks at the right pace.',
        { minimum: 2 },
      ),
    ],
  },
  {
    suppliers: ['Saltmarsh Riding Gear', 'Quayside Parts Company'],
    category: 'Imported',
    brands: ['Corvane', 'Halden', 'Rookhurst', 'Skaldir', 'Peregrin', 'Montclair'],
    lines: [
      line(
        'helmet-full-face',
        ['full-face helmet', 'touring helmet', 'carbon full-face helmet'],
        colours,
        [99, 649],
        'ECE 22.06, double-D buckle, Pinlock-ready visor that changes without tools.',
        gear,
      ),
      line(
        'helmet-open-face',
        ['open-face helmet', 'jet helmet', 'composite jet helmet'],
        colours,
        [59, 289],
        'ECE 22.06, with a visor that can be taken off and a lining that can be washed.',
        gear,
      ),
    ],
  },
  {
    suppliers: ['Saltmarsh Riding Gear', 'Northgate Moto Supply'],
    category: 'Local',
    brands: [
      'Ravenmoor',
      'Kestrin',
      'Arrowmark',
      'Thornlea',
      'Oakhelm',
      'Hidesmith',
      'Wexcombe',
      'Sablewing',
    ],
    lines: [
      line(
        'jacket',
        ['textile jacket', 'leather jacket', 'mesh jacket', 'adventure jacket'],
        colours,
        [89, 599],
        'Armour at shoulders and elbows, a pocket for a back protector, EN 17092.',
        gear,
      ),
      line(
        'trousers',
        ['textile trousers', 'riding jeans', 'leather trousers'],
        colours,
        [79, 429],
        'Knee armour in two heights, and a zip that joins them to the jacket.',
        gear,
      ),
      line(
        'gloves',
        ['leather gloves', 'waterproof gloves', 'summer gloves', 'gauntlet gloves'],
        colours,
        [25, 189],
        'A palm of goat leather and a finger that works a screen. EN 13594.',
        gear,
      ),
      line(
        'boots',
        ['touring boots', 'leather boots', 'track boots'],
        colours,
        [79, 389],
        'Shin plate and ankle cups on both sides, EN 13634. The welt can be resoled.',
        gear,
      ),
      line(
        'protector',
        ['back protector', 'chest protector', 'knee armour'],
        colours,
        [25, 179],
        'Level 2, soft until it is hit.',
        gear,
      ),
    ],
  },
  {
    suppliers: ['Eastlight Components', 'Alder & Finch Wholesale'],
    category: 'Local',
    brands: ['Holmgang', 'Norrgard', 'Lanternby', 'Packwell', 'Strapline'],
    lines: [
      line(
        'pannier',
        ['aluminium pannier', 'top case', 'soft pannier pair'],
        ['31 L', '37 L', '38 L', '45 L', 'left', 'right'],
        [79, 449],
        'Welded corners, one lock, and a seal that keeps a river out.',
        fits,
      ),
      line(
        'tank-bag',
        ['tank bag', 'tail bag', 'quick-lock tank bag'],
        ['6 L', '11 L', '14 L', '22 L'],
        [29, 189],
        'A window for the map, a cover for the rain.',
      ),
    ],
  },
  {
    suppliers: ['Quayside Parts Company', 'Alder & Finch Wholesale'],
    category: 'Local',
    brands: ['Benchline', 'Gritstone', 'Yarrowby', 'Mossgate', 'Spannerby', 'Kilnworth'],
    lines: [
      line(
        'grip',
        ['sport grips', 'heated grips', 'waffle grips'],
        colours,
        [9, 119],
        'For bars of 22 mm, with ends that open for bar-end weights.',
      ),
      line(
        'mirror',
        ['touring mirror', 'folding mirror', 'bar-end mirror'],
        ['10 mm', '8 mm', 'left', 'right', 'pair'],
        [14, 99],
        'Convex glass that shows the lane beside you, not your elbow.',
        fits,
      ),
      line(
        'paddock-stand',
        ['front paddock stand', 'rear paddock stand', 'centre lift'],
        ['steel', 'aluminium'],
        [39, 229],
        'Wide feet, four wheels, and hooks or cups for any swing-arm.',
      ),
      line(
        'tool-roll',
        ['tool roll', 'spanner set', 'torque wrench', 'chain tool'],
        ['9 pieces', '14 pieces', '8 to 22 mm', '20 to 100 Nm'],
        [14, 189],
        'Chrome vanadium, in an order that shows at once what is missing.',
      ),
    ],
  },
  {
    suppliers: ['Northgate Moto Supply', 'Meridian Moto Import'],
    category: 'Imported',
    brands: ['Roadhold', 'Vulcanor', 'Lastrada', 'Gummiwerk', 'Traktis'],
    lines: [
      line(
        'tyre',
        ['sport tyre', 'touring tyre', 'adventure tyre', 'scooter tyre', 'rain tyre'],
        ['90/90-14', '110/80 R19', '120/70 ZR17', '150/70 R18', '160/60 ZR17', '180/55 ZR17', '190/50 ZR17'],
        [39, 279],
        'Two compounds: hard in the middle, soft where it leans. Tubeless.',
      ),
    ],
  },
]
