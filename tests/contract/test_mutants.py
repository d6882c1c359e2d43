"""The contract can fail: each mutant of a log fails the clauses that it breaks, and each clause has such a mutant."""

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from services.eventlog.sqlite_log import SqliteLog
from tests.contract import mutants as m
from tests.contract import test_appending as appending
from tests.contract import test_lasting as lasting
from tests.contract import test_reading as reading
from tests.contract import test_room as room
from tests.contract import test_streams as streams
from tests.contract.homes import Place, on_a_modelled_disk

Clause = Callable[..., None]

CLAUSES: list[Clause] = [
    clause
    for module in (appending, reading, streams, lasting, room)
    for name, clause in vars(module).items()
    if name.startswith("test_")
]

FAILS: dict[type[SqliteLog], tuple[Clause, ...]] = {
    m.AcceptsAnyHead: (
        appending.test_a_writer_with_a_stale_head_is_refused_and_told_both_heads,
        appending.test_of_two_writers_with_the_same_head_one_wins,
        lasting.test_a_log_goes_on_where_it_was_closed,
    ),
    m.ComparesHeightsOnly: (appending.test_a_head_of_the_right_height_but_another_hash_is_refused,),
    m.DoublesOnRetry: (appending.test_an_append_that_is_tried_again_is_recorded_once,),
    m.KeepsAPrefixOfALateAppendInSilence: (
        appending.test_each_of_two_writers_is_told_exactly_what_was_recorded_of_it,
        appending.test_a_shard_that_moved_leaves_the_others_be,
    ),
    m.SwapsTheHeadsThatItTells: (appending.test_a_writer_with_a_stale_head_is_refused_and_told_both_heads,),
    m.TellsTheHeadBeforeTheLast: (appending.test_an_append_returns_the_head_after_each_entry,),
    m.TellsOneHeadForAllShards: (appending.test_shards_are_chains_of_their_own,),
    m.BeginsWithACommitOfItsOwn: (appending.test_an_empty_log_stands_at_genesis_in_every_shard,),
    m.CountsShardsRoundAndRound: (appending.test_a_shard_that_the_log_has_not_is_named,),
    m.KeepsAPrefixOfWhatItRefuses: (
        appending.test_a_refused_append_leaves_nothing_behind,
        appending.test_a_commit_that_is_too_large_is_refused_before_it_is_appended,
        lasting.test_what_was_refused_is_not_there_after_a_crash,
    ),
    m.AnswersForMoreThanItRecorded: (
        appending.test_an_append_returns_the_head_after_each_entry,
        reading.test_what_was_appended_is_read_in_order_and_verbatim,
    ),
    m.RecordsNothingAsACommit: (appending.test_nothing_to_append_changes_nothing,),
    m.AnswersInTheOrderOfShards: (appending.test_several_shards_are_appended_together,),
    m.RefusesAllForOne: (
        appending.test_a_shard_that_moved_leaves_the_others_be,
        appending.test_a_version_that_does_not_follow_refuses_its_shard_alone,
    ),
    m.ClaimsWithoutAnEpoch: (appending.test_a_claim_begins_the_next_epoch_and_others_keep_it,),
    m.TakesEveryAppendForAClaim: (appending.test_a_claim_begins_the_next_epoch_and_others_keep_it,),
    m.ClaimsAllShardsForOne: (appending.test_a_shard_is_claimed_beside_others_that_are_not,),
    m.CountsEpochsFrom1: (appending.test_the_first_commit_has_epoch_0_even_as_a_claim,),
    m.TakesAnyVersion: (
        appending.test_an_event_that_is_not_the_next_of_its_stream_is_refused,
        lasting.test_a_log_goes_on_where_it_was_closed,
    ),
    m.TakesStreamsOfOtherShards: (appending.test_a_stream_stays_in_its_shard,),
    m.OpensStreamsAtAnyVersion: (appending.test_a_stream_begins_at_version_1,),
    m.OpensNoStreamAt0: (appending.test_only_opaque_streams_may_begin_at_0,),
    m.TakesRecordsOfAnySize: (appending.test_a_commit_that_is_too_large_is_refused_before_it_is_appended,),
    m.TakesAByteTooMany: (appending.test_the_largest_commit_is_taken_and_one_byte_more_is_refused,),
    m.RefusesTheLargestRecord: (appending.test_the_largest_commit_is_taken_and_one_byte_more_is_refused,),
    m.ReadsOutOfOrder: (reading.test_what_was_appended_is_read_in_order_and_verbatim,),
    m.WritesBodiesAnew: (reading.test_what_was_appended_is_read_in_order_and_verbatim,),
    m.WritesTheBodyOfOneRecordAnew: (reading.test_one_record_by_its_height,),
    m.EndsRecordsWithALineFeed: (reading.test_the_bytes_are_those_of_the_format_in_every_home,),
    m.SealsWithoutALink: (reading.test_every_record_is_accepted_by_the_chain,),
    m.ReadsOneChunk: (reading.test_reading_from_a_height,),
    m.ReadsFromTheBeginning: (reading.test_reading_from_a_height,),
    m.CountsHeightsFromTheEndToo: (reading.test_one_record_by_its_height,),
    m.HasTheLastRecordAtEveryGreaterHeight: (reading.test_one_record_by_its_height,),
    m.FollowsTheLogWhileItGrows: (
        reading.test_reading_goes_on_while_others_append_and_ends_where_the_log_ended_when_it_began,
    ),
    m.FollowsStreamsWhileTheyGrow: (
        reading.test_reading_goes_on_while_others_append_and_ends_where_the_log_ended_when_it_began,
    ),
    m.StopsReadingWhenTheLogGrows: (
        reading.test_reading_goes_on_while_others_append_and_ends_where_the_log_ended_when_it_began,
    ),
    m.IndexesAllCommitsAsTheFirst: (
        streams.test_a_stream_s_commits_are_those_that_were_appended,
        streams.test_the_index_of_streams_is_what_the_records_say,
        room.test_the_tables_are_as_they_were_after_the_log_was_opened_again,
    ),
    m.SeekingStreamsLooksInShard0: (streams.test_a_stream_s_commits_are_those_that_were_appended,),
    m.MissesACommitThatABoundCutsThrough: (streams.test_a_stream_s_commits_are_found_by_version,),
    m.ReadsStreamsToTheirEnd: (streams.test_a_stream_s_commits_are_found_by_version,),
    m.PutsPartsOneCommitLate: (
        streams.test_a_stream_s_parts_are_those_of_its_commits,
        room.test_a_repeat_gets_the_same_answer_after_the_log_was_opened_again,
    ),
    m.GivesWholeParts: (streams.test_a_part_s_versions_are_cut_to_what_was_asked_for,),
    m.ReadsPartsForwardsOnly: (streams.test_the_last_parts_come_first_if_asked_so_and_no_more_than_asked_for,),
    m.LimitsNoParts: (streams.test_the_last_parts_come_first_if_asked_so_and_no_more_than_asked_for,),
    m.TellsAVersionThatWasNeverThere: (streams.test_the_version_of_a_stream_is_its_last_event_s,),
    m.CountsCommitsForVersions: (streams.test_the_version_of_a_stream_is_its_last_event_s,),
    m.KnowsPlayersByTheirFilesOnly: (
        streams.test_the_players_of_a_shard_are_found_by_their_files_and_accounts_and_by_when_they_last_did_anything,
    ),
    m.FindsFaultWithASoundIndex: (streams.test_the_index_of_streams_is_what_the_records_say,),
    m.NumbersTheRoomsOwnEvents: (reading.test_event_numbers_leave_out_the_room_s_and_the_shard_s_own_streams,),
    m.LeavesAGapInTheNumbers: (reading.test_event_numbers_have_no_gap,),
    m.BeginsAfterTheNumberAskedFor: (reading.test_event_numbers_have_no_gap,),
    m.LosesTheLastCommitOnClosing: (
        lasting.test_everything_is_there_after_the_log_was_closed,
        room.test_a_repeat_gets_the_same_answer_after_the_log_was_opened_again,
    ),
    m.AnswersBeforeItIsDurable: (
        lasting.test_what_was_answered_is_there_after_a_crash,
        room.test_a_repeat_gets_the_same_answer_after_a_crash,
    ),
    m.AnswersForOtherShardsBeforeTheyAreDurable: (
        lasting.test_what_was_answered_of_several_shards_is_there_after_a_crash,
    ),
    m.WritesWithoutSyncing: (
        lasting.test_what_was_answered_is_there_after_a_crash,
        lasting.test_what_was_answered_of_several_shards_is_there_after_a_crash,
        lasting.test_a_log_goes_on_after_a_crash,
    ),
    m.SyncsAtCheckpointsOnly: (
        lasting.test_what_was_answered_is_there_after_a_crash,
        lasting.test_what_was_answered_of_several_shards_is_there_after_a_crash,
    ),
    m.CantBeClosedTwice: (lasting.test_a_log_may_be_closed_twice,),
    m.OpensAgainForReadingOnly: (
        lasting.test_a_log_goes_on_where_it_was_closed,
        lasting.test_a_log_goes_on_after_a_crash,
    ),
    m.ForgetsCommandIds: (
        room.test_a_repeat_gets_the_same_answer_after_the_log_was_opened_again,
        room.test_an_id_is_known_after_the_log_was_opened_again,
    ),
    m.ForgetsTheNewestCommitOfAStream: (
        streams.test_a_stream_s_parts_are_those_of_its_commits,
        room.test_time_does_not_run_back_where_the_clock_did,
    ),
}
"""What each mutant is caught by. Some fail others too; named are those that say what is broken."""


def _pairs() -> list[Any]:
    return [
        pytest.param(mutant, clause, id=f"{mutant.__name__}-{clause.__name__.removeprefix('test_')}")
        for mutant, clauses in FAILS.items()
        for clause in clauses
    ]


@pytest.mark.parametrize(("mutant", "clause"), _pairs())
def test_a_mutant_fails_the_clause_that_it_breaks(mutant: type[SqliteLog], clause: Clause, tmp_path: Path) -> None:
    assert fails(mutant, clause, tmp_path)


def test_the_log_itself_fails_none_in_the_same_run(tmp_path: Path) -> None:
    assert [clause.__name__ for clause in CLAUSES if fails(SqliteLog, clause, tmp_path / clause.__name__)] == []


def test_every_mutant_fails_a_clause() -> None:
    assert set(FAILS) == set(m.MUTANTS)
    assert all(FAILS.values())


def test_every_clause_is_failed_by_a_mutant() -> None:
    failed = {clause for clauses in FAILS.values() for clause in clauses}
    assert [clause.__name__ for clause in CLAUSES if clause not in failed] == []


def fails(kind: type[SqliteLog], clause: Clause, folder: Path) -> bool:
    """Whether a log of that class breaks the clause, in an empty place of its own."""
    folder.mkdir(exist_ok=True)
    try:
        with Place(on_a_modelled_disk(kind), folder) as place:
            clause(**{name: place.given[name] for name in signature(clause).parameters})
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - a clause fails by whatever it raises
        return True
    return False
