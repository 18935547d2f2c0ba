type YearRange = [first: number, last: number]

interface DemoBike {
  make: string
  model: string
  /** Model years in vehicle-make-model-data, which ends in 2015. */
  years?: YearRange[]
  /** Other model years: from NHTSA vPIC, or announcements of the makers. */
  addedYears?: YearRange[]
}

/** The bikes of the demo shop: the model years of real motorcycles, without their versions. README names the sources. */
export const bikes: DemoBike[] = [
  { make: 'Yamaha', model: 'YZF-R1', years: [[2001, 2014]], addedYears: [[2015, 2026]] },
  { make: 'Yamaha', model: 'YZF-R6', years: [[2001, 2014]], addedYears: [[2015, 2020]] },
  { make: 'Yamaha', model: 'FJR1300', years: [[2003, 2014]], addedYears: [[2015, 2024]] },
  { make: 'Yamaha', model: 'WR250R', years: [[2008, 2014]], addedYears: [[2015, 2020]] },
  { make: 'Yamaha', model: 'YZ250F', years: [[2001, 2014]], addedYears: [[2015, 2026]] },
  { make: 'Yamaha', model: 'MT-07', addedYears: [[2014, 2026]] },
  { make: 'Yamaha', model: 'MT-09', addedYears: [[2014, 2026]] },
  { make: 'Yamaha', model: 'Tracer 900', addedYears: [[2015, 2020]] },
  { make: 'Yamaha', model: 'Tracer 9', addedYears: [[2021, 2026]] },
  { make: 'Yamaha', model: 'YZF-R3', addedYears: [[2015, 2026]] },
  { make: 'Yamaha', model: 'YZF-R7', addedYears: [[2022, 2026]] },
  { make: 'Yamaha', model: 'Ténéré 700', addedYears: [[2019, 2026]] },
  { make: 'Honda', model: 'CBR600RR', years: [[2003, 2014]], addedYears: [[2015, 2026]] },
  { make: 'Honda', model: 'CBR1000RR', years: [[2004, 2014]], addedYears: [[2015, 2023]] },
  { make: 'Honda', model: 'CRF250R', years: [[2004, 2014]], addedYears: [[2015, 2026]] },
  {
    make: 'Honda',
    model: 'GL1800 Gold Wing',
    years: [
      [2001, 2010],
      [2012, 2014],
    ],
    addedYears: [[2015, 2026]],
  },
  {
    make: 'Honda',
    model: 'VFR1200F',
    years: [
      [2010, 2010],
      [2012, 2013],
    ],
    addedYears: [[2014, 2016]],
  },
  { make: 'Honda', model: 'CB500F', years: [[2013, 2014]], addedYears: [[2015, 2025]] },
  { make: 'Honda', model: 'CB500X', addedYears: [[2013, 2023]] },
  { make: 'Honda', model: 'NX500', addedYears: [[2024, 2026]] },
  { make: 'Honda', model: 'CB650R', addedYears: [[2019, 2026]] },
  { make: 'Honda', model: 'CBR650R', addedYears: [[2019, 2026]] },
  { make: 'Honda', model: 'Africa Twin', addedYears: [[2016, 2026]] },
  { make: 'Honda', model: 'Rebel 500', addedYears: [[2017, 2026]] },
  {
    make: 'Kawasaki',
    model: 'KLR650',
    years: [[2001, 2014]],
    addedYears: [
      [2015, 2018],
      [2022, 2026],
    ],
  },
  { make: 'Kawasaki', model: 'Ninja ZX-10R', years: [[2004, 2015]], addedYears: [[2016, 2026]] },
  { make: 'Kawasaki', model: 'Ninja ZX-6R', years: [[2001, 2015]], addedYears: [[2016, 2026]] },
  { make: 'Kawasaki', model: 'Ninja 650R', years: [[2006, 2014]] },
  { make: 'Kawasaki', model: 'Versys 650', years: [[2008, 2014]], addedYears: [[2015, 2026]] },
  { make: 'Kawasaki', model: 'Vulcan 900 Classic', years: [[2006, 2014]], addedYears: [[2015, 2025]] },
  { make: 'Kawasaki', model: 'Ninja 400', addedYears: [[2018, 2023]] },
  { make: 'Kawasaki', model: 'Ninja 650', addedYears: [[2015, 2026]] },
  { make: 'Kawasaki', model: 'Z400', addedYears: [[2019, 2023]] },
  { make: 'Kawasaki', model: 'Z650', addedYears: [[2017, 2025]] },
  { make: 'Kawasaki', model: 'Z900', addedYears: [[2017, 2026]] },
  {
    make: 'Suzuki',
    model: 'GSX-R600',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
    addedYears: [[2015, 2026]],
  },
  {
    make: 'Suzuki',
    model: 'GSX-R750',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
    addedYears: [[2015, 2026]],
  },
  {
    make: 'Suzuki',
    model: 'GSX-R1000',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
    addedYears: [[2015, 2026]],
  },
  {
    make: 'Suzuki',
    model: 'DR-Z400S',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
    addedYears: [[2015, 2024]],
  },
  {
    make: 'Suzuki',
    model: 'DR650SE',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
    addedYears: [[2015, 2026]],
  },
  {
    make: 'Suzuki',
    model: 'DL650 V-Strom',
    years: [
      [2004, 2009],
      [2011, 2014],
    ],
    addedYears: [[2015, 2025]],
  },
  { make: 'Suzuki', model: 'SV650', years: [[2001, 2008]], addedYears: [[2017, 2024]] },
  { make: 'Suzuki', model: 'GSX-S750', addedYears: [[2015, 2022]] },
  { make: 'Triumph', model: 'Bonneville', years: [[2001, 2013]], addedYears: [[2014, 2015]] },
  { make: 'Triumph', model: 'Speed Triple', years: [[2001, 2012]], addedYears: [[2013, 2026]] },
  { make: 'Triumph', model: 'Street Triple 675', years: [[2008, 2013]], addedYears: [[2014, 2016]] },
  { make: 'Triumph', model: 'Bonneville T100', years: [[2005, 2013]], addedYears: [[2014, 2026]] },
  { make: 'Triumph', model: 'Street Triple 765', addedYears: [[2017, 2026]] },
  { make: 'Triumph', model: 'Bonneville T120', addedYears: [[2016, 2026]] },
  { make: 'Triumph', model: 'Tiger 800', addedYears: [[2011, 2020]] },
  { make: 'Triumph', model: 'Tiger 900', addedYears: [[2020, 2026]] },
  { make: 'Triumph', model: 'Trident 660', addedYears: [[2021, 2026]] },
  { make: 'BMW', model: 'R1200GS', years: [[2004, 2014]], addedYears: [[2015, 2018]] },
  { make: 'BMW', model: 'R1200GS Adventure', years: [[2006, 2014]], addedYears: [[2015, 2018]] },
  { make: 'BMW', model: 'F800GS', years: [[2008, 2014]], addedYears: [[2015, 2018]] },
  { make: 'BMW', model: 'S1000RR', years: [[2009, 2014]], addedYears: [[2015, 2026]] },
  { make: 'BMW', model: 'R1250GS', addedYears: [[2019, 2023]] },
  { make: 'BMW', model: 'R1250GS Adventure', addedYears: [[2019, 2024]] },
  { make: 'BMW', model: 'R1300GS', addedYears: [[2024, 2026]] },
  { make: 'BMW', model: 'R1300GS Adventure', addedYears: [[2025, 2026]] },
  { make: 'BMW', model: 'F850GS', addedYears: [[2019, 2023]] },
  { make: 'BMW', model: 'R nineT', addedYears: [[2014, 2023]] },
  {
    make: 'KTM',
    model: '690 Enduro R',
    years: [[2009, 2014]],
    addedYears: [
      [2015, 2017],
      [2019, 2026],
    ],
  },
  {
    make: 'KTM',
    model: '690 Duke',
    years: [
      [2009, 2011],
      [2013, 2013],
    ],
    addedYears: [[2014, 2019]],
  },
  { make: 'KTM', model: '390 Duke', addedYears: [[2013, 2026]] },
  {
    make: 'KTM',
    model: '790 Duke',
    addedYears: [
      [2018, 2020],
      [2023, 2025],
    ],
  },
  { make: 'KTM', model: '890 Duke', addedYears: [[2020, 2023]] },
  { make: 'KTM', model: '1290 Super Duke R', addedYears: [[2014, 2023]] },
  { make: 'KTM', model: '390 Adventure', addedYears: [[2020, 2026]] },
  {
    make: 'KTM',
    model: '790 Adventure',
    addedYears: [
      [2019, 2020],
      [2023, 2025],
    ],
  },
  { make: 'KTM', model: '890 Adventure', addedYears: [[2021, 2024]] },
  { make: 'KTM', model: '1290 Super Adventure', addedYears: [[2015, 2024]] },
  { make: 'Ducati', model: 'Monster 821', addedYears: [[2014, 2020]] },
  { make: 'Ducati', model: 'Monster 937', addedYears: [[2021, 2025]] },
  { make: 'Ducati', model: 'Scrambler Icon', addedYears: [[2015, 2026]] },
  { make: 'Ducati', model: 'Panigale V4', addedYears: [[2018, 2026]] },
  { make: 'Ducati', model: 'Multistrada 1260', addedYears: [[2018, 2020]] },
  { make: 'Ducati', model: 'Multistrada V4', addedYears: [[2021, 2026]] },
  {
    make: 'Harley-Davidson',
    model: 'Sportster 1200 Custom (XL1200C)',
    years: [[2001, 2014]],
    addedYears: [[2015, 2020]],
  },
  { make: 'Harley-Davidson', model: 'Iron 883 (XL883N)', years: [[2009, 2014]], addedYears: [[2015, 2022]] },
  {
    make: 'Harley-Davidson',
    model: 'Street Glide (FLHX)',
    years: [[2006, 2014]],
    addedYears: [[2015, 2026]],
  },
  { make: 'Harley-Davidson', model: 'Fat Boy (FLSTF)', years: [[2001, 2014]], addedYears: [[2015, 2017]] },
  { make: 'Harley-Davidson', model: 'Softail Street Bob (FXBB)', addedYears: [[2018, 2026]] },
  { make: 'Harley-Davidson', model: 'Sportster S (RH1250S)', addedYears: [[2021, 2026]] },
  { make: 'Harley-Davidson', model: 'Pan America 1250 (RA1250)', addedYears: [[2021, 2026]] },
  { make: 'Royal Enfield', model: 'Himalayan', addedYears: [[2018, 2023]] },
  { make: 'Royal Enfield', model: 'Himalayan 450', addedYears: [[2024, 2026]] },
  { make: 'Royal Enfield', model: 'Interceptor 650', addedYears: [[2019, 2026]] },
  { make: 'Royal Enfield', model: 'Continental GT 650', addedYears: [[2019, 2026]] },
  { make: 'Royal Enfield', model: 'Classic 350', addedYears: [[2022, 2026]] },
]

/** Returns the model years of a demo bike with their sources, the oldest first. */
export const listYears = ({ years = [], addedYears = [] }: DemoBike): { year: number; source: string }[] =>
  [
    { ranges: years, source: 'vehicle-make-model-data' },
    { ranges: addedYears, source: 'vPIC and announcements' },
  ].flatMap(({ ranges, source }) =>
    ranges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => ({ year: first + index, source })),
    ),
  )

/** An invented bike with versions, since the sources have none. */
export const inventedBike = { make: 'Hayashi', model: 'K6', year: 2012, versions: ['Standard', 'ABS'] }

/** Other names of models in the search box. */
export const bikeAliases: { make: string; model: string; aliases: string[] }[] = [
  { make: 'Yamaha', model: 'YZF-R1', aliases: ['R1'] },
  { make: 'Yamaha', model: 'YZF-R6', aliases: ['R6'] },
  { make: 'Yamaha', model: 'FJR1300', aliases: ['FJR'] },
  { make: 'Yamaha', model: 'MT-07', aliases: ['FZ-07'] },
  { make: 'Yamaha', model: 'MT-09', aliases: ['FZ-09'] },
  { make: 'Yamaha', model: 'Tracer 900', aliases: ['Tracer 900 GT', 'FJ-09'] },
  { make: 'Yamaha', model: 'Tracer 9', aliases: ['Tracer 9 GT'] },
  { make: 'Yamaha', model: 'YZF-R3', aliases: ['R3'] },
  { make: 'Yamaha', model: 'YZF-R7', aliases: ['R7'] },
  { make: 'Yamaha', model: 'Ténéré 700', aliases: ['T7', 'Tenere'] },
  { make: 'Honda', model: 'CBR600RR', aliases: ['CBR 600'] },
  { make: 'Honda', model: 'CBR1000RR', aliases: ['Fireblade'] },
  { make: 'Honda', model: 'GL1800 Gold Wing', aliases: ['GL1800', 'Gold Wing'] },
  { make: 'Honda', model: 'Africa Twin', aliases: ['CRF1000L', 'CRF1100L'] },
  { make: 'Honda', model: 'Rebel 500', aliases: ['CMX500'] },
  { make: 'Kawasaki', model: 'Ninja ZX-10R', aliases: ['ZX-10R', 'ZX10'] },
  { make: 'Kawasaki', model: 'Ninja ZX-6R', aliases: ['ZX-6R', 'ZX6'] },
  { make: 'Kawasaki', model: 'Ninja 650R', aliases: ['ER-6f'] },
  { make: 'Suzuki', model: 'DL650 V-Strom', aliases: ['V-Strom', 'DL650'] },
  { make: 'Suzuki', model: 'GSX-R600', aliases: ['GSXR 600'] },
  { make: 'Suzuki', model: 'GSX-R750', aliases: ['GSXR 750'] },
  { make: 'Suzuki', model: 'GSX-R1000', aliases: ['GSXR 1000'] },
  { make: 'Triumph', model: 'Bonneville T100', aliases: ['T100'] },
  { make: 'Triumph', model: 'Bonneville T120', aliases: ['T120'] },
  { make: 'BMW', model: 'R1200GS', aliases: ['GS 1200'] },
  { make: 'BMW', model: 'R1250GS', aliases: ['GS 1250'] },
  { make: 'BMW', model: 'R1300GS', aliases: ['GS 1300'] },
  { make: 'KTM', model: '390 Duke', aliases: ['Duke 390'] },
  { make: 'KTM', model: '790 Duke', aliases: ['Duke 790'] },
  { make: 'KTM', model: '890 Duke', aliases: ['Duke 890'] },
  {
    make: 'Harley-Davidson',
    model: 'Sportster 1200 Custom (XL1200C)',
    aliases: ['XL1200C', 'Sportster 1200'],
  },
  { make: 'Harley-Davidson', model: 'Iron 883 (XL883N)', aliases: ['XL883N', 'Iron 883'] },
  { make: 'Harley-Davidson', model: 'Street Glide (FLHX)', aliases: ['FLHX', 'Street Glide'] },
  { make: 'Harley-Davidson', model: 'Fat Boy (FLSTF)', aliases: ['FLSTF', 'Fat Boy'] },
  { make: 'Harley-Davidson', model: 'Softail Street Bob (FXBB)', aliases: ['FXBB', 'FXBBS', 'Street Bob'] },
  { make: 'Harley-Davidson', model: 'Sportster S (RH1250S)', aliases: ['RH1250S', 'Sportster S'] },
  { make: 'Harley-Davidson', model: 'Pan America 1250 (RA1250)', aliases: ['RA1250', 'Pan America'] },
  { make: 'Royal Enfield', model: 'Interceptor 650', aliases: ['INT650', 'Interceptor'] },
  { make: 'Royal Enfield', model: 'Continental GT 650', aliases: ['Continental GT'] },
]
