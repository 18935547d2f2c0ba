import type { Attribute, AttributeValues } from '../contract/attributes.ts'
import type { Kind } from './kinds.ts'

const number = (name: string, unit?: string): Attribute => ({ name, type: 'number', unit })
const choice = (name: string, choices: string[], unit?: string): Attribute => ({
  name,
  type: 'choice',
  choices,
  unit,
})

const pitches = ['428', '520', '525', '530']

/** The attributes of the kinds of parts. */
export const kindAttributes: { [Name in Kind]?: Attribute[] } = {
  'Air filters': [
    number('Flange diameter', 'mm'),
    choice('Shape', ['Straight cone', 'Angled cone', 'Offset cone']),
  ],
  Batteries: [
    number('Voltage', 'V'),
    number('Capacity', 'Ah'),
    number('Cold cranking', 'A'),
    choice('Technology', ['AGM', 'Gel', 'Lithium']),
    number('Length', 'mm'),
    number('Width', 'mm'),
    number('Height', 'mm'),
  ],
  'Brake discs': [
    number('Outer diameter', 'mm'),
    number('Thickness', 'mm'),
    choice('Mounting', ['Fixed', 'Floating']),
  ],
  'Brake pads': [
    choice('Compound', ['Organic', 'Sintered', 'Carbon-ceramic']),
    choice('Friction class', ['FF', 'GG', 'HH']),
    choice('Use', ['Road', 'Track']),
  ],
  Chains: [
    choice('Pitch', pitches),
    number('Links'),
    choice('Seal', ['None', 'O-ring', 'X-ring']),
    number('Tensile strength', 'kN'),
    choice('Connecting link', ['Clip', 'Rivet']),
  ],
  Exhausts: [
    number('Inlet diameter', 'mm'),
    choice('Material', ['Stainless steel', 'Titanium']),
    number('Noise', 'dB'),
  ],
  Grips: [
    number('Diameter left', 'mm'),
    number('Diameter right', 'mm'),
    number('Length', 'mm'),
    choice('Ends', ['Open', 'Closed']),
    number('Power', 'W'),
  ],
  Headlamps: [
    number('Diameter', 'in'),
    number('Low beam', 'lm'),
    number('High beam', 'lm'),
    choice('Mounting', ['In a bowl', 'Side', 'Bottom']),
  ],
  Mirrors: [choice('Thread', ['M8', 'M10']), choice('Sold as', ['Single', 'Pair'])],
  Oils: [
    choice('Viscosity', ['10W', '10W-40', '80W-90']),
    number('Volume', 'L'),
    choice('Base', ['Mineral', 'Semi-synthetic', 'Synthetic']),
    choice('Use', ['Engine', 'Fork', 'Gear']),
  ],
  'Oil filters': [
    choice('Thread', ['M20 x 1.5', '3/4-16 UNF']),
    number('Outer diameter', 'mm'),
    number('Length', 'mm'),
    number('Wrench size', 'mm'),
    number('Bypass pressure', 'bar'),
  ],
  Panniers: [number('Volume', 'L'), number('Weight', 'kg'), choice('Use', ['Side', 'Top'])],
  'Shock absorbers': [number('Eye to eye', 'mm'), choice('Per bike', ['1', '2'])],
  Sprockets: [
    choice('Pitch', pitches),
    number('Teeth'),
    choice('Material', ['Aluminium', 'Steel']),
    number('Bolts'),
    number('Bolt circle', 'mm'),
    number('Centre hole', 'mm'),
  ],
  'Tank bags': [number('Volume', 'L'), choice('Attachment', ['Magnets', 'Tank ring'])],
  Tyres: [
    number('Width', 'mm'),
    number('Aspect ratio', '%'),
    number('Rim', 'in'),
    choice('Construction', ['Radial', 'Bias-ply']),
    number('Load index'),
    choice('Speed rating', ['P', 'R', 'S', 'H', 'V', 'W']),
  ],
}

/** The values of demo products by their name without the brand. */
export const attributeValues: Record<string, AttributeValues> = {
  '320 mm floating front brake disc': { 'Outer diameter': 320, Thickness: 5, Mounting: 'Floating' },
  '310 mm lightweight front brake disc': { 'Outer diameter': 310, Thickness: 4.5, Mounting: 'Floating' },
  '240 mm rear brake disc': { 'Outer diameter': 240, Thickness: 5, Mounting: 'Fixed' },

  'Titanium slip-on silencer': { 'Inlet diameter': 51, Material: 'Titanium', Noise: 95 },
  'Black stainless slip-on silencer': { 'Inlet diameter': 51, Material: 'Stainless steel', Noise: 94 },
  'Bronze-finish scrambler silencer': { 'Inlet diameter': 45, Material: 'Stainless steel', Noise: 93 },

  'Rear shock absorber, 330 mm': { 'Eye to eye': 330, 'Per bike': '1' },
  'Twin-shock rear absorber, 360 mm': { 'Eye to eye': 360, 'Per bike': '2' },

  'Lithium battery 12 V, 4 Ah': {
    Voltage: 12,
    Capacity: 4,
    'Cold cranking': 240,
    Technology: 'Lithium',
    Length: 114,
    Width: 70,
    Height: 87,
  },
  'AGM battery 12 V, 8 Ah': {
    Voltage: 12,
    Capacity: 8,
    'Cold cranking': 135,
    Technology: 'AGM',
    Length: 150,
    Width: 87,
    Height: 105,
  },
  'Gel battery 12 V, 12 Ah': {
    Voltage: 12,
    Capacity: 12,
    'Cold cranking': 210,
    Technology: 'Gel',
    Length: 150,
    Width: 87,
    Height: 130,
  },

  'Sintered front brake pads': { Compound: 'Sintered', 'Friction class': 'HH', Use: 'Road' },
  'Organic rear brake pads': { Compound: 'Organic', 'Friction class': 'GG', Use: 'Road' },
  'Track-day brake pads': { Compound: 'Carbon-ceramic', Use: 'Track' },

  'Aluminium rear sprocket, 42 teeth, 520': {
    Pitch: '520',
    Teeth: 42,
    Material: 'Aluminium',
    Bolts: 6,
    'Bolt circle': 104,
    'Centre hole': 76,
  },
  'Aluminium rear sprocket, 45 teeth, 520': {
    Pitch: '520',
    Teeth: 45,
    Material: 'Aluminium',
    Bolts: 6,
    'Bolt circle': 104,
    'Centre hole': 76,
  },
  'Steel rear sprocket, 43 teeth, 525': {
    Pitch: '525',
    Teeth: 43,
    Material: 'Steel',
    Bolts: 6,
    'Bolt circle': 120,
    'Centre hole': 100,
  },

  '520 X-ring chain, 118 links': {
    Pitch: '520',
    Links: 118,
    Seal: 'X-ring',
    'Tensile strength': 36,
    'Connecting link': 'Rivet',
  },
  '525 O-ring chain, 120 links': {
    Pitch: '525',
    Links: 120,
    Seal: 'O-ring',
    'Tensile strength': 39,
    'Connecting link': 'Rivet',
  },
  '428 standard chain, 132 links': {
    Pitch: '428',
    Links: 132,
    Seal: 'None',
    'Tensile strength': 18,
    'Connecting link': 'Clip',
  },

  '10W-40 semi-synthetic engine oil, 4 L': {
    Viscosity: '10W-40',
    Volume: 4,
    Base: 'Semi-synthetic',
    Use: 'Engine',
  },
  '10W-40 full-synthetic racing oil, 4 L': {
    Viscosity: '10W-40',
    Volume: 4,
    Base: 'Synthetic',
    Use: 'Engine',
  },
  'Fork oil 10W, 1 L': { Viscosity: '10W', Volume: 1, Base: 'Synthetic', Use: 'Fork' },
  'Chain and gear oil, 1 L': { Viscosity: '80W-90', Volume: 1, Base: 'Mineral', Use: 'Gear' },

  '7-inch LED headlamp': { Diameter: 7, 'Low beam': 1800, 'High beam': 3000, Mounting: 'In a bowl' },
  '5¾-inch LED headlamp': { Diameter: 5.75, 'Low beam': 1400, 'High beam': 2400, Mounting: 'Side' },
  'Bottom-mounted LED headlamp': { 'Low beam': 1200, 'High beam': 2000, Mounting: 'Bottom' },

  'Cone air filter, 54 mm flange': { 'Flange diameter': 54, Shape: 'Angled cone' },
  'Cone air filter, 60 mm flange': { 'Flange diameter': 60, Shape: 'Straight cone' },
  'Offset cone air filter, 48 mm flange': { 'Flange diameter': 48, Shape: 'Offset cone' },

  'Tank bag with map window, 14 L': { Volume: 14, Attachment: 'Magnets' },
  'Quick-lock tank bag, 11 L': { Volume: 11, Attachment: 'Tank ring' },
  'Small tank bag, 6 L': { Volume: 6, Attachment: 'Magnets' },

  '180/55 ZR17 sport tyre': {
    Width: 180,
    'Aspect ratio': 55,
    Rim: 17,
    Construction: 'Radial',
    'Load index': 73,
    'Speed rating': 'W',
  },
  '120/70 ZR17 sport front tyre': {
    Width: 120,
    'Aspect ratio': 70,
    Rim: 17,
    Construction: 'Radial',
    'Load index': 58,
    'Speed rating': 'W',
  },
  '150/70 R18 adventure tyre': {
    Width: 150,
    'Aspect ratio': 70,
    Rim: 18,
    Construction: 'Radial',
    'Load index': 70,
    'Speed rating': 'R',
  },
  '90/90-14 scooter tyre': {
    Width: 90,
    'Aspect ratio': 90,
    Rim: 14,
    Construction: 'Bias-ply',
    'Load index': 52,
    'Speed rating': 'P',
  },

  'Dual-compound sport grips': { 'Diameter left': 22, 'Diameter right': 25, Length: 125, Ends: 'Open' },
  'Heated grips with five steps': {
    'Diameter left': 22,
    'Diameter right': 22,
    Length: 130,
    Ends: 'Closed',
    Power: 36,
  },
  'Waffle grips, tan': { 'Diameter left': 22, 'Diameter right': 25, Length: 120, Ends: 'Closed' },

  'Spin-on oil filter, M20': {
    Thread: 'M20 x 1.5',
    'Outer diameter': 68,
    Length: 75,
    'Wrench size': 65,
    'Bypass pressure': 1,
  },
  'Racing oil filter with lock-wire nut': {
    Thread: 'M20 x 1.5',
    'Outer diameter': 68,
    Length: 85,
    'Wrench size': 17,
    'Bypass pressure': 1,
  },
  'Oil filter for singles up to 400 cc': {
    Thread: 'M20 x 1.5',
    'Outer diameter': 55,
    Length: 50,
    'Wrench size': 54,
    'Bypass pressure': 0.8,
  },

  'Aluminium pannier, 37 L': { Volume: 37, Weight: 4.6, Use: 'Side' },
  'Black aluminium top case, 38 L': { Volume: 38, Weight: 4.8, Use: 'Top' },
  'Sand-coated aluminium pannier, 31 L': { Volume: 31, Weight: 4.1, Use: 'Side' },

  'Universal touring mirror, 10 mm': { Thread: 'M10', 'Sold as': 'Pair' },
  'Folding sport mirror': { 'Sold as': 'Single' },
  'Polished long-stem mirror': { Thread: 'M10', 'Sold as': 'Single' },
}
