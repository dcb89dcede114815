/** Makes a quick analysis better, hole by hole: the server plays the costliest moves out while it has nothing else to do. */
import { isLocal } from "../lib/here";
import { ask } from "../lib/http";
import type { Analysis, RefinedHole, Share } from "../lib/messages";
import { patiently } from "../lib/patiently";

/** Tells the analysis after each hole, and how many are done, at first 0; ends early if nobody looks any more. */
export async function refine(
  quick: Analysis,
  isWanted: () => boolean,
  tell: (better: Analysis, holes: number) => void,
): Promise<void> {
  if (isLocal(quick.id)) return; // this device plays nothing out
  let analysis = quick;
  tell(analysis, 0);
  for (const [nth, { hole }] of quick.holes.entries()) {
    const request = () => ask<RefinedHole>(`api/games/${quick.id}/analysis/${hole}`);
    const refined = await patiently(request, isWanted).catch(() => null); // it stays as it was
    if (!isWanted()) return;
    if (refined) analysis = withHole(analysis, refined);
    tell(analysis, nth + 1);
  }
}

/** The analysis with one hole replaced, and the sums that follow from it. */
export function withHole(analysis: Analysis, { hole, mistakes }: RefinedHole): Analysis {
  const holes = analysis.holes.map((other) => (other.hole === hole.hole ? hole : other));
  const others = analysis.mistakes.filter((mistake) => mistake.hole !== hole.hole);
  return {
    ...analysis,
    holes,
    totals: analysis.totals.map((total, seat) => holes.reduce((sum, { shares }) => plus(sum, shares[seat]), zeros(total))),
    mistakes: [...others, ...mistakes].sort((one, other) => other.loss - one.loss),
  };
}

const zeros = (share: Share): Share => ({ ...share, points: 0, at_deal: 0, luck: 0, mistakes: 0, turns: 0, errors: 0 });

function plus(sum: Share, share: Share | null | undefined): Share {
  if (!share) return sum;
  return {
    points: sum.points + share.points,
    at_deal: sum.at_deal + share.at_deal,
    luck: sum.luck + share.luck,
    mistakes: sum.mistakes + share.mistakes,
    turns: sum.turns + share.turns,
    errors: sum.errors + share.errors,
  };
}
