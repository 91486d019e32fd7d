"""Properties may take their time on a busy machine."""

from hypothesis import settings

settings.register_profile("house", deadline=None, max_examples=50)
settings.load_profile("house")
