# The image of every process of the served setting: web, worker, beat and migrate.
# PYTHON_IMAGE=python@sha256:… builds on one image for good; docs/operations.md says how to find it.
ARG PYTHON_IMAGE=python:3.11-slim
FROM ${PYTHON_IMAGE}

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    JURYBOX_DATA=/data \
    STATIC_ROOT=/app/staticfiles

RUN useradd --system --uid 10001 --user-group --home-dir /data jurybox \
    && install --directory --owner=jurybox --group=jurybox /data /exports /uploads

WORKDIR /app
# Before the source, so that a change of the source does not install everything again.
COPY requirements.txt requirements-models.txt ./
RUN pip install --no-cache-dir --prefer-binary --requirement requirements.txt
# MODELS=yes brings PyTorch, for judges that run a model on the machine itself.
ARG MODELS=
RUN if [ -n "$MODELS" ]; then \
      pip install --no-cache-dir --prefer-binary --requirement requirements-models.txt; \
    fi

# TRACES=yes brings OpenTelemetry.
ARG TRACES=
COPY pyproject.toml ./
RUN if [ -n "$TRACES" ]; then \
      pip install --no-cache-dir --prefer-binary --constraint requirements.txt $(python -c "import tomllib; \
        print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['otel'])"); \
    fi

COPY . .
# A key and a data folder for this one command; the image keeps neither.
RUN SECRET_KEY=build JURYBOX_DATA=/tmp/build python manage.py collectstatic --no-input \
    && rm -rf /tmp/build

ARG COMMIT=
ENV COMMIT=$COMMIT

USER jurybox
VOLUME /data
EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--config", "python:config.web_server"]
