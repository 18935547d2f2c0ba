/** A review of the demo shop by an invented rider. */
type SeedReview = {
  name: string
  designation: string
  review: string
}

/** The demo reviews. The home page shows the first three. */
export const reviews: SeedReview[] = [
  {
    name: 'Priya N.',
    designation: 'Commuter',
    review:
      'The waterproof gloves have done a whole winter of rain, and my hands were dry each time. I also like that the page says how they fit before one orders.',
  },
  {
    name: 'Tom H.',
    designation: 'Track-day rider',
    review:
      'Pads on Tuesday, on the circuit on Saturday. They need a lap to get warm, just as the description said, and after that the lever never moved.',
  },
  {
    name: 'Marisol V.',
    designation: 'Workshop owner',
    review:
      'We order filters and oil by the case. Minimums are clear, the stock on the page is the stock in the box, and I have not had a wrong part yet.',
  },
  {
    name: 'Anders L.',
    designation: 'Long-distance tourer',
    review:
      'Nine thousand kilometres with the aluminium panniers and one slow fall on gravel. A dent, no water inside, and the lid still shuts.',
  },
  {
    name: 'Keiko S.',
    designation: 'New rider',
    review:
      'My first helmet. They told me to wear it for ten minutes at home before taking the tag off, and I changed the size once without any trouble.',
  },
  {
    name: 'Bram D.',
    designation: 'Restorer',
    review:
      'Found the twin shocks for my old parallel twin here after months of looking. The bushes were the right ones, and that never happens.',
  },
  {
    name: 'Chidi O.',
    designation: 'Courier',
    review:
      'I wear out a chain every ten months. The X-ring one has done fourteen and is only now asking for its second adjustment.',
  },
  {
    name: 'Fiona M.',
    designation: 'Weekend rider',
    review:
      'The drawing of the lever showed the hinge, so I knew what I was getting. It folded when I dropped the bike in the garage, which paid for it.',
  },
  {
    name: 'Luca B.',
    designation: 'Scooter rider',
    review:
      'Pair of tyres ordered on Sunday night, fitted on Thursday. Much calmer on wet cobbles than the old ones.',
  },
  {
    name: 'Hannah W.',
    designation: 'Riding instructor',
    review:
      'Eight school bikes, so I buy levers and mirrors in numbers. Cheap enough to keep spares, good enough that we need fewer of them.',
  },
  {
    name: 'Rafael C.',
    designation: 'Adventure rider',
    review:
      'The 150/70 held up on two thousand kilometres of mixed gravel. It hums a little at motorway speed, and I have forgiven it.',
  },
]
