"""Where files are: asking creates nothing, and one variable moves it all."""

from pathlib import Path

from fightcall.settings import Settings, find_paths, keep_theme, read_settings, settings_problems, with_theme


def test_one_variable_moves_data_and_config_and_creates_nothing(tmp_path):
    paths = find_paths({"FIGHTCALL_HOME": str(tmp_path / "home")})
    assert paths.library == tmp_path / "home" / "data"
    assert paths.encounters == tmp_path / "home" / "config" / "encounters"
    assert paths.themes == tmp_path / "home" / "config" / "themes"
    assert paths.keys == tmp_path / "home" / "config" / "keys.toml"
    assert paths.settings == tmp_path / "home" / "config" / "settings.toml"
    assert list(tmp_path.iterdir()) == []


def test_without_it_the_system_says_where():
    paths = find_paths({})
    assert paths.data.name == "fightcall" or "fightcall" in paths.data.parts
    assert paths.data.is_absolute()
    assert paths.config.is_absolute()


def test_a_tilde_is_the_users_home():
    assert find_paths({"FIGHTCALL_HOME": "~/fc"}).data == Path.home() / "fc" / "data"


def test_settings_that_are_missing_or_wrong_are_the_usual_ones(tmp_path):
    path = tmp_path / "settings.toml"
    assert read_settings(path) == Settings()
    assert settings_problems(path) == ()
    path.write_text('theme = 7\nglyphs = "runes"\nthem = "x"\n')
    assert read_settings(path) == Settings()
    found = settings_problems(path)
    assert [problem.line for problem in found] == [1, 2, 3]
    assert "did you mean 'theme'?" in found[2].message
    path.write_text("theme = [")
    assert read_settings(path) == Settings()
    assert len(settings_problems(path)) == 1


def test_settings_are_read(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('theme = "parchment"\nglyphs = "ascii"\n')
    assert read_settings(path) == Settings("parchment", "ascii")
    assert settings_problems(path) == ()


def test_a_chosen_theme_is_kept_and_the_rest_stays_as_it_was_written(tmp_path):
    path = tmp_path / "config" / "settings.toml"
    keep_theme(path, "mono")
    assert read_settings(path).theme == "mono"
    path.write_text('# mine\nglyphs = "ascii"  # plain\ntheme   = "x" # old\n', encoding="utf-8")
    keep_theme(path, "lantern")
    assert path.read_text() == '# mine\nglyphs = "ascii"  # plain\ntheme = "lantern"\n'


def test_a_settings_file_without_a_theme_gets_one():
    assert with_theme('glyphs = "ascii"\n', "mono") == 'theme = "mono"\nglyphs = "ascii"\n'
