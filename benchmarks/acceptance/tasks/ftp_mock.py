import ftplib, os, unittest
from unittest.mock import patch, MagicMock

def task_func(ftp_server='ftp.dlptest.com', ftp_user='dlpuser', ftp_password='x', ftp_dir='/ftp/test'):
    try:
        ftp_obj = ftplib.FTP(ftp_server)
    except Exception as e:
        raise Exception(f'Failed to connect to FTP server {ftp_server}: {str(e)}')
    try:
        ftp_obj.login(ftp_user, ftp_password)
    except Exception as e:
        raise Exception(f'Failed to log into FTP server {ftp_server} with user {ftp_user}: {str(e)}')
    ftp_obj.cwd(ftp_dir)
    download_dir = "downloaded_files"
    if not os.path.exists(download_dir):
        os.makedirs(download_dir)
    downloaded_files = []
    for filename in ftp_obj.nlst():
        with open(os.path.join(download_dir, filename), "wb") as f:
            ftp_obj.retrbinary("RETR " + filename, f.write)
        downloaded_files.append(filename)
    ftp_obj.quit()
    return downloaded_files

class TestCases(unittest.TestCase):
    def setUp(self):
        self.mock_ftp = MagicMock()
        self.mock_ftp.nlst.return_value = ['file1.txt', 'file2.txt']
    @patch('ftplib.FTP')
    def test_case_1(self, mock_ftp):
        mock_ftp.return_value = self.mock_ftp
        self.assertEqual(task_func(), ['file1.txt', 'file2.txt'])
        self.assertEqual(sorted(os.listdir("downloaded_files")), ['file1.txt', 'file2.txt'])
    @patch('ftplib.FTP')
    def test_case_2(self, mock_ftp):
        mock_ftp.side_effect = ftplib.all_errors[0]("Failed to connect")
        with self.assertRaises(Exception) as context:
            task_func(ftp_server="invalid_server")
        self.assertEqual(str(context.exception), 'Failed to connect to FTP server invalid_server: Failed to connect')


if __name__ == "__main__":
    unittest.main(verbosity=2)
