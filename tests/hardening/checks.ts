import { accounts } from './accounts.ts'
import { baskets } from './baskets.ts'
import { batches } from './batches.ts'
import { bikes } from './bikes.ts'
import type { Check } from './check.ts'
import { cluster } from './cluster.ts'
import { codeOnce } from './code-once.ts'
import { coupons } from './coupons.ts'
import { crash } from './crash.ts'
import { deploy } from './deploy.ts'
import { escalation } from './escalation.ts'
import { failover } from './failover.ts'
import { faults } from './faults.ts'
import { floods } from './floods.ts'
import { hidden } from './hidden.ts'
import { hostileText } from './hostile-text.ts'
import { idleBodies } from './idle-bodies.ts'
import { input } from './input.ts'
import { money } from './money.ts'
import { movingIn } from './moving-in.ts'
import { once } from './once.ts'
import { oversell } from './oversell.ts'
import { pooler } from './pooler.ts'
import { proxy } from './proxy.ts'
import { refunds } from './refunds.ts'
import { restore } from './restore.ts'
import { reviewFloods } from './review-floods.ts'
import { schedule } from './schedule.ts'
import { searchTwin } from './search-twin.ts'
import { settings } from './settings.ts'
import { shipUndo } from './ship-undo.ts'
import { soak } from './soak.ts'
import { staleness } from './staleness.ts'
import { stocktake } from './stocktake.ts'
import { undo } from './undo.ts'

/** All checks, in the order in which they run. */
export const checks: readonly Check[] = [
  oversell,
  baskets,
  batches,
  undo,
  movingIn,
  hidden,
  coupons,
  floods,
  bikes,
  crash,
  money,
  refunds,
  shipUndo,
  settings,
  schedule,
  hostileText,
  codeOnce,
  escalation,
  stocktake,
  once,
  input,
  faults,
  idleBodies,
  pooler,
  reviewFloods,
  searchTwin,
  proxy,
  failover,
  staleness,
  cluster,
  deploy,
  soak,
  restore,
  accounts,
]
