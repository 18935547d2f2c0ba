/** What each drawing shows, as a shop calls that kind of part. */
export const kinds = {
  'air-filter': 'Air filters',
  battery: 'Batteries',
  boots: 'Boots',
  'brake-disc': 'Brake discs',
  'brake-pads': 'Brake pads',
  chain: 'Chains',
  exhaust: 'Exhausts',
  gloves: 'Gloves',
  grip: 'Grips',
  headlamp: 'Headlamps',
  'helmet-full-face': 'Full-face helmets',
  'helmet-open-face': 'Open-face helmets',
  indicator: 'Indicators',
  jacket: 'Jackets',
  lever: 'Levers',
  mirror: 'Mirrors',
  oil: 'Oils',
  'oil-filter': 'Oil filters',
  'paddock-stand': 'Paddock stands',
  pannier: 'Panniers',
  protector: 'Protectors',
  shock: 'Shock absorbers',
  sprocket: 'Sprockets',
  'tail-lamp': 'Tail lamps',
  'tank-bag': 'Tank bags',
  'tool-roll': 'Tools',
  trousers: 'Trousers',
  tyre: 'Tyres',
} as const

/** The name of a drawing, which is that of the kind of part on it. */
export type Drawing = keyof typeof kinds
