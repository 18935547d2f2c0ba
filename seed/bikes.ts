/**
 * The bikes of the demo shop: the model years of real motorcycles, without their versions. `years` are pairs of a first
 * and a last year. README names the sources and their licenses.
 */
export const bikes: { make: string; model: string; years: [first: number, last: number][] }[] = [
  { make: 'Yamaha', model: 'YZF-R1', years: [[2001, 2014]] },
  { make: 'Yamaha', model: 'YZF-R6', years: [[2001, 2014]] },
  { make: 'Yamaha', model: 'FJR1300', years: [[2003, 2014]] },
  { make: 'Yamaha', model: 'WR250R', years: [[2008, 2014]] },
  { make: 'Yamaha', model: 'YZ250F', years: [[2001, 2014]] },
  { make: 'Honda', model: 'CBR600RR', years: [[2003, 2014]] },
  { make: 'Honda', model: 'CBR1000RR', years: [[2004, 2014]] },
  { make: 'Honda', model: 'CRF250R', years: [[2004, 2014]] },
  {
    make: 'Honda',
    model: 'GL1800 Gold Wing',
    years: [
      [2001, 2010],
      [2012, 2014],
    ],
  },
  {
    make: 'Honda',
    model: 'VFR1200F',
    years: [
      [2010, 2010],
      [2012, 2013],
    ],
  },
  { make: 'Honda', model: 'CB500F', years: [[2013, 2014]] },
  { make: 'Kawasaki', model: 'KLR650', years: [[2001, 2014]] },
  { make: 'Kawasaki', model: 'Ninja ZX-10R', years: [[2004, 2015]] },
  { make: 'Kawasaki', model: 'Ninja ZX-6R', years: [[2001, 2015]] },
  { make: 'Kawasaki', model: 'Ninja 650R', years: [[2006, 2014]] },
  { make: 'Kawasaki', model: 'Versys 650', years: [[2008, 2014]] },
  { make: 'Kawasaki', model: 'Vulcan 900 Classic', years: [[2006, 2014]] },
  {
    make: 'Suzuki',
    model: 'GSX-R600',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
  },
  {
    make: 'Suzuki',
    model: 'GSX-R750',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
  },
  {
    make: 'Suzuki',
    model: 'GSX-R1000',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
  },
  {
    make: 'Suzuki',
    model: 'DR-Z400S',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
  },
  {
    make: 'Suzuki',
    model: 'DR650SE',
    years: [
      [2001, 2009],
      [2011, 2014],
    ],
  },
  {
    make: 'Suzuki',
    model: 'DL650 V-Strom',
    years: [
      [2004, 2009],
      [2011, 2014],
    ],
  },
  { make: 'Suzuki', model: 'SV650', years: [[2001, 2008]] },
  { make: 'Triumph', model: 'Bonneville', years: [[2001, 2013]] },
  { make: 'Triumph', model: 'Speed Triple', years: [[2001, 2012]] },
  { make: 'Triumph', model: 'Street Triple 675', years: [[2008, 2013]] },
  { make: 'Triumph', model: 'Bonneville T100', years: [[2005, 2013]] },
  { make: 'BMW', model: 'R1200GS', years: [[2004, 2014]] },
  { make: 'BMW', model: 'R1200GS Adventure', years: [[2006, 2014]] },
  { make: 'BMW', model: 'F800GS', years: [[2008, 2014]] },
  { make: 'BMW', model: 'S1000RR', years: [[2009, 2014]] },
  { make: 'KTM', model: '690 Enduro R', years: [[2009, 2014]] },
  {
    make: 'KTM',
    model: '690 Duke',
    years: [
      [2009, 2011],
      [2013, 2013],
    ],
  },
  { make: 'Harley-Davidson', model: 'Sportster 1200 Custom (XL1200C)', years: [[2001, 2014]] },
  { make: 'Harley-Davidson', model: 'Iron 883 (XL883N)', years: [[2009, 2014]] },
  { make: 'Harley-Davidson', model: 'Street Glide (FLHX)', years: [[2006, 2014]] },
  { make: 'Harley-Davidson', model: 'Fat Boy (FLSTF)', years: [[2001, 2014]] },
]

/** An invented bike with versions, since the sources have none. */
export const inventedBike = { make: 'Hayashi', model: 'K6', year: 2012, versions: ['Standard', 'ABS'] }

/** Other names of models in the search box. */
export const bikeAliases: { make: string; model: string; aliases: string[] }[] = [
  { make: 'Yamaha', model: 'YZF-R1', aliases: ['R1'] },
  { make: 'Yamaha', model: 'YZF-R6', aliases: ['R6'] },
  { make: 'Yamaha', model: 'FJR1300', aliases: ['FJR'] },
  { make: 'Honda', model: 'CBR600RR', aliases: ['CBR 600'] },
  { make: 'Honda', model: 'CBR1000RR', aliases: ['Fireblade'] },
  { make: 'Honda', model: 'GL1800 Gold Wing', aliases: ['GL1800', 'Gold Wing'] },
  { make: 'Kawasaki', model: 'Ninja ZX-10R', aliases: ['ZX-10R', 'ZX10'] },
  { make: 'Kawasaki', model: 'Ninja ZX-6R', aliases: ['ZX-6R', 'ZX6'] },
  { make: 'Kawasaki', model: 'Ninja 650R', aliases: ['ER-6f'] },
  { make: 'Suzuki', model: 'DL650 V-Strom', aliases: ['V-Strom', 'DL650'] },
  { make: 'Suzuki', model: 'GSX-R600', aliases: ['GSXR 600'] },
  { make: 'Suzuki', model: 'GSX-R750', aliases: ['GSXR 750'] },
  { make: 'Suzuki', model: 'GSX-R1000', aliases: ['GSXR 1000'] },
  { make: 'Triumph', model: 'Bonneville T100', aliases: ['T100'] },
  { make: 'BMW', model: 'R1200GS', aliases: ['GS 1200'] },
  {
    make: 'Harley-Davidson',
    model: 'Sportster 1200 Custom (XL1200C)',
    aliases: ['XL1200C', 'Sportster 1200'],
  },
  { make: 'Harley-Davidson', model: 'Iron 883 (XL883N)', aliases: ['XL883N', 'Iron 883'] },
  { make: 'Harley-Davidson', model: 'Street Glide (FLHX)', aliases: ['FLHX', 'Street Glide'] },
  { make: 'Harley-Davidson', model: 'Fat Boy (FLSTF)', aliases: ['FLSTF', 'Fat Boy'] },
]
