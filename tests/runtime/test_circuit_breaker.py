"""What fails again and again is left alone for a while, longer each time."""

from conftest import Clock

from voice_server.runtime.circuit_breaker import CircuitBreaker


def failed(circuit: CircuitBreaker, times: int) -> CircuitBreaker:
    for _ in range(times):
        circuit.failed()
    return circuit


def test_a_few_failures_leave_it_closed(clock: Clock) -> None:
    assert not failed(CircuitBreaker(clock, failures=3), 2).is_open


def test_failures_in_a_row_open_it_for_the_pause(clock: Clock) -> None:
    circuit = failed(CircuitBreaker(clock, failures=3, pause=60), 3)
    assert circuit.is_open

    clock.now += 60

    assert not circuit.is_open


def test_what_works_in_between_starts_the_count_again(clock: Clock) -> None:
    circuit = failed(CircuitBreaker(clock, failures=3), 2)
    circuit.worked()

    assert not failed(circuit, 2).is_open


def test_one_failure_after_the_pause_opens_it_for_twice_as_long(clock: Clock) -> None:
    circuit = failed(CircuitBreaker(clock, failures=3, pause=60), 3)
    clock.now += 60
    circuit.failed()

    clock.now += 119
    assert circuit.is_open
    clock.now += 1
    assert not circuit.is_open


def test_the_pause_is_never_longer_than_the_longest(clock: Clock) -> None:
    circuit = CircuitBreaker(clock, failures=1, pause=60, longest=100)
    for _ in range(50):
        circuit.failed()
        clock.now += 100

    assert not circuit.is_open


def test_what_was_under_way_when_it_opened_does_not_make_it_longer(clock: Clock) -> None:
    circuit = failed(CircuitBreaker(clock, failures=3, pause=60), 30)

    clock.now += 60

    assert not circuit.is_open
