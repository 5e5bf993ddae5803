// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::series
{

enum class Fault : std::uint8_t {
    None,
    Busy, // another process writes the file
    NotSeries, // it is another kind of file, or its header is damaged
    Newer, // a later version has written it
    Gap, // something that is to be kept would be left out
    System // `number` is errno
};

struct Error {
    Fault fault = Fault::None;
    int number = 0;
};

// A file descriptor with what the writer, the reader and the replica need. Read-only or locked for writing.
class File
{
public:
    File() = default;
    ~File() { close(); }
    File(File &&other) noexcept;
    File &operator=(File &&other) noexcept;
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    Error openToRead(const std::string &path);
    // Makes the file when it is not there. No other process has it open for writing, and it is the one that has the
    // name.
    Error openToWrite(const std::string &path, bool isFresh = false);
    void close();

    bool isOpen() const { return m_fd >= 0; }
    bool isAt(const std::string &path) const; // has not been replaced
    std::int64_t size() const; // -1: unknown
    // Up to `count` bytes; less at the end of the file, and after an error.
    std::string read(std::uint64_t offset, std::size_t count) const;
    // Writes all of the bytes or, as far as possible, none.
    Error write(std::uint64_t offset, std::string_view bytes);
    Error truncate(std::uint64_t size);
    Error sync();

private:
    int m_fd = -1;
};

// The generation of the file of series that is open here; 0: its head is not there yet, or is damaged.
std::uint64_t generationOf(int fd);
Error replaceFile(const std::string &from, const std::string &to); // and puts the folder on the disk

} // namespace trainyard::series
