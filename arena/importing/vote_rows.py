"""What a vote becomes before it is stored: names by place, the voter hashed, the battle by a key of its own."""

from dataclasses import dataclass, field

from arena.formats.rejection import Rejection
from arena.formats.vote_records import VoteRecord
from arena.importing.keys import LENGTH, key_of, prompt_digest
from arena.keys import new_public_id
from arena.store.imports import Origin
from arena.store.staged_votes import StagedVote
from arena.terms import Outcome

IMPORT_TIME = "import_time"


@dataclass(frozen=True)
class VoteRows:
    """Turns the records of one file into rows to stage; models and judges become places in lists of names."""

    origin: Origin
    judge: str | None
    aliases: dict[str, str]
    models: dict[str, int] = field(default_factory=dict)
    judges: dict[str, int] = field(default_factory=dict)

    def row(self, vote: VoteRecord) -> StagedVote | Rejection:
        """Return the row of a vote, or why it cannot be one here."""
        model_a, model_b = self._place(vote.model_a), self._place(vote.model_b)
        if model_a == model_b:
            return Rejection(vote.line, "self_battle", f"{vote.model_a!r} and {vote.model_b!r}")
        judge = self.judge or vote.judge
        if judge is not None and vote.outcome is Outcome.SKIP:
            return Rejection(vote.line, "skip_by_judge", repr(judge))
        battle_key = self._battle_key(vote)
        return (
            vote.line,
            model_a,
            model_b,
            vote.outcome.value,
            self._voter(vote, battle_key),
            None if judge is None else self.judges.setdefault(judge, len(self.judges)),
            battle_key,
            new_public_id(),
            *self._prompt(vote),
            vote.language,
            vote.cast_at,
            vote.cast_at_assumed if vote.cast_at else IMPORT_TIME,
        )

    def _place(self, name: str) -> int:
        return self.models.setdefault(self.aliases.get(name, name), len(self.models))

    def _battle_key(self, vote: VoteRecord) -> str:
        """Return what names the battle wherever it comes from again; without a key, its place in the file."""
        if vote.battle_key is None:
            return f"{self.origin.sha256[:LENGTH]}:{vote.line}"
        return key_of(self.origin.format, vote.battle_key, vote.model_a, vote.model_b)

    def _voter(self, vote: VoteRecord, battle_key: str) -> str:
        """Return the same voter for every file of a format; a vote without one is its own voter's."""
        if vote.voter is None:
            return f"import:unnamed:{battle_key}"
        return f"import:{key_of(self.origin.format, vote.voter)}"

    def _prompt(self, vote: VoteRecord) -> tuple[str | None, str | None, str | None]:
        """Return digest, text and key of the prompt; of one known by its key alone the text says so."""
        if vote.prompt is not None:
            return prompt_digest(vote.prompt), vote.prompt, vote.prompt_key
        if vote.prompt_key is None:
            return None, None, None
        label = f"[prompt {vote.prompt_key} of {self.origin.format}; its text was not in the file]"
        return key_of("prompt", self.origin.format, vote.prompt_key), label, vote.prompt_key
