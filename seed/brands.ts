import type { EditedSizeChart, Manufacturer } from '../contract/gear.ts'

/** The country of each brand. The makers, like the brands, are invented, and their data on the pages says so. */
const countries: Record<string, string> = {
  Arrowmark: 'Netherlands',
  Benchline: 'Denmark',
  Corvane: 'Italy',
  Dravic: 'Slovenia',
  Grauwerk: 'Germany',
  Halden: 'Norway',
  Holmgang: 'Sweden',
  Kavarro: 'Spain',
  Kestrin: 'United States',
  Lumenor: 'Austria',
  Merrowby: 'United Kingdom',
  Norrgard: 'Finland',
  Ravenmoor: 'Ireland',
  Stagholt: 'Belgium',
  Volthaus: 'Germany',
}
const outsideEu = ['Norway', 'United Kingdom', 'United States']

/** Safety texts of brands whose products protect riders. */
const safetyTexts: Record<string, string> = {
  Corvane: 'Replace the helmet after any impact, and at the latest seven years after its date of production.',
  Halden: 'Replace the helmet after any impact, and at the latest seven years after its date of production.',
  Norrgard:
    'The protector cannot prevent every injury. Replace it after a fall, even if no damage is visible.',
}

const invent = (name: string, country: string) => ({
  name: `${name} (invented for this demo)`,
  address: `1 Demo Street\n00000 Sample Town, ${country}`,
  contact: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
})

/** The manufacturer of each brand. */
export const manufacturers: [brand: string, Manufacturer][] = Object.entries(countries).map(
  ([brand, country]) => [
    brand,
    {
      ...invent(brand, country),
      ...(outsideEu.includes(country) && { eu: invent('Sample Import', 'Netherlands') }),
      safetyText: safetyTexts[brand],
    },
  ],
)

/** The sizes of three makers. One of them measures in inches. */
export const sizeCharts: EditedSizeChart[] = [
  {
    brand: 'Corvane',
    kind: 'Full-face helmets',
    unit: 'cm',
    columns: ['Head'],
    rows: [
      { size: 'SM', values: [[55, 56]] },
      { size: 'M', values: [[57, 58]] },
      { size: 'L', values: [[59, 60]] },
      { size: 'XL', values: [[61, 62]] },
    ],
    source: 'Corvane, 2026 (invented for this demo)',
  },
  {
    brand: 'Ravenmoor',
    kind: 'Jackets',
    unit: 'cm',
    columns: ['Chest', 'Waist', 'Sleeve'],
    rows: [
      {
        size: 'SM',
        values: [
          [88, 93],
          [76, 81],
          [61, 62],
        ],
      },
      {
        size: 'M',
        values: [
          [94, 99],
          [82, 87],
          [63, 64],
        ],
      },
      {
        size: 'L',
        values: [
          [100, 106],
          [88, 94],
          [65, 66],
        ],
      },
      { size: 'XL', values: [[107, 114], [95, 102], null] },
    ],
    source: 'Ravenmoor, 2026 (invented for this demo)',
  },
  {
    brand: 'Ravenmoor',
    kind: 'Trousers',
    unit: 'cm',
    columns: ['Waist', 'Hip', 'Inside leg'],
    rows: [
      {
        size: 'SM',
        values: [
          [76, 81],
          [92, 96],
          [79, 79],
        ],
      },
      {
        size: 'M',
        values: [
          [82, 87],
          [97, 101],
          [81, 81],
        ],
      },
      {
        size: 'L',
        values: [
          [88, 94],
          [102, 107],
          [83, 83],
        ],
      },
      {
        size: 'XL',
        values: [
          [95, 102],
          [108, 114],
          [84, 84],
        ],
      },
    ],
    source: 'Ravenmoor, 2026 (invented for this demo)',
  },
  {
    brand: 'Kestrin',
    kind: 'Gloves',
    unit: 'in',
    columns: ['Palm', 'Middle finger'],
    rows: [
      {
        size: 'SM',
        values: [
          [7, 7.5],
          [2.9, 3],
        ],
      },
      {
        size: 'M',
        values: [
          [8, 8.5],
          [3.1, 3.2],
        ],
      },
      {
        size: 'L',
        values: [
          [9, 9.5],
          [3.3, 3.4],
        ],
      },
      {
        size: 'XL',
        values: [
          [10, 10.5],
          [3.5, 3.6],
        ],
      },
    ],
    source: 'Kestrin, 2026 (invented for this demo)',
  },
]
