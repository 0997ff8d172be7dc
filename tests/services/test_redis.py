import redis


def test_a_test_gets_a_redis_with_nothing_in_it(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")


def test_what_a_test_left_in_redis_is_gone_for_the_next(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
