import subprocess
import unittest
from unittest.mock import patch


def git_branch():
    """The current branch, or None outside of a repository."""
    try:
        done = subprocess.run(["git", "branch", "--show-current"], capture_output=True, text=True, check=True)
    except (subprocess.CalledProcessError, FileNotFoundError):
        return None
    return done.stdout.strip() or "detached"


class TestBranch(unittest.TestCase):
    @patch("subprocess.run")
    def test_branch(self, run):
        run.return_value = subprocess.CompletedProcess([], 0, stdout="main\n")
        self.assertEqual(git_branch(), "main")
        run.return_value.stdout = "\n"
        self.assertEqual(git_branch(), "detached")

    @patch("subprocess.run", side_effect=subprocess.CalledProcessError(128, "git"))
    def test_no_repository(self, run):
        self.assertIsNone(git_branch())

    @patch("subprocess.run", side_effect=FileNotFoundError)
    def test_no_git(self, run):
        self.assertIsNone(git_branch())


if __name__ == "__main__":
    unittest.main(exit=False)
